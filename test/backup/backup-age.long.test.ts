/** How old the newest backup is, wherever operators look. PostgreSQL is enough: the rows are the same. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupDelay } from '../../src/backup/index.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { freePort } from '../support/network/free-port.ts';
import { demoPlace, type Place } from '../support/rigs/backup.ts';
import { marquee, startService } from '../support/rigs/service.ts';

const HOUR = 3_600_000;
let demo: Place;
const files = temporaryFolder();
beforeAll(async () => {
  demo = await demoPlace(DEFAULT_ENGINE);
});
afterAll(async () => {
  await demo?.remove();
  files.remove();
});

it('is in the status, the metrics and doctor', async () => {
  const vault = join(files.folder, 'vault');
  mkdirSync(vault);
  const metricsPort = await freePort();
  const env = { ...demo.env, MARQUEE_BACKUP_URL: vault, MARQUEE_BACKUP_EVERY: '6h' };
  const service = await startService(['serve'], { ...env, PORT: '0', MARQUEE_METRICS_PORT: String(metricsPort) });
  try {
    const readStatus = async () => (await fetch(`${service.url}/status.json`)).json();
    await expect
      .poll(readStatus)
      .toMatchObject({ backups: { newestAt: expect.any(String), ageSeconds: expect.any(Number), everySeconds: 21_600 } });
    const { parts, backups } = await readStatus();
    expect(parts).toContainEqual({ name: 'backups', status: 'ok', since: null });
    expect(backups.ageSeconds).toBeLessThan(3600);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^marquee_backup_age_seconds [\d.]+$/m);
    expect(metrics).toMatch(/^marquee_backup_failures 0$/m);
    expect(metrics).toMatch(/^marquee_backup_interval_seconds 21600$/m);
    const page = await (await fetch(`${service.url}/status`, { headers: { 'accept-language': 'de' } })).text();
    expect(page).toMatch(/Sicherungen.*neueste: /s);
    const { stdout } = await marquee(['doctor'], env);
    expect(stdout).toMatch(new RegExp(`^backups {7}newest 0\\.\\d h old, [\\d.]+ MB, every 6 h to ${vault}$`, 'm'));
  } finally {
    await service.stop();
  }
});

it('is late from its interval on, or from the first failure on if there never was one', () => {
  const none = { newestAt: null, bytes: null, failures: 0, lastFailure: null, firstFailedAt: null };
  expect(backupDelay(none, HOUR, 10 * HOUR)).toBe(0);
  expect(backupDelay({ ...none, firstFailedAt: 7 * HOUR }, HOUR, 10 * HOUR)).toBe(3 * HOUR);
  expect(backupDelay({ ...none, newestAt: 8 * HOUR }, HOUR, 10 * HOUR)).toBe(HOUR);
  expect(backupDelay({ ...none, newestAt: 9.5 * HOUR }, HOUR, 10 * HOUR)).toBe(0);
});
