import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoFolder } from '../support/demo-folder.ts';
import { openRawClient, type RawClient } from '../support/raw-client.ts';
import { ask, keysIn, limitedFiles, type RunningService, startService } from '../support/service.ts';

let service: RunningService;
let keys: ReturnType<typeof keysIn>;
let remove: () => void;
const clients: RawClient[] = [];

beforeAll(async () => {
  const place = await copyDemoFolder();
  remove = place.remove;
  service = await startService(['serve', '--role', 'api'], { MARQUEE_DATA_DIR: place.folder }, limitedFiles(256));
  keys = keysIn(place.folder);
}, 60_000);
afterAll(async () => {
  for (const client of clients) client.close();
  remove();
});

test('a service that may open few files sheds connections, answers, and ends in order (S7)', async () => {
  const port = Number(new URL(service.url).port);
  await expect.poll(() => service.printed()).toContain('the limit of open files');
  for (let n = 0; n < 200; n++) clients.push(await openRawClient({ port }).catch(() => ({ close() {} }) as RawClient));
  const health = await fetch(`${service.url}/healthz`);
  expect(health.status).toBe(200);
  const { status, body } = await ask(service, '/events?limit=2', keys.growth);
  expect([status, body.data.length]).toEqual([200, 2]);
  expect(clients.filter((client) => client.ended()).length).toBeGreaterThan(100);
  expect(await service.stop()).toBe(0);
}, 60_000);
