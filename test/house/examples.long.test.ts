import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { type DemoService, marquee, startDemoService } from '../support/rigs/service.ts';
import { fences, files } from './source-tree.ts';

const run = promisify(execFile);
const pages = files.filter((file) => file === 'README.md' || /^docs\/.*\.md$/.test(file));
const examplesIn = (wanted: string) =>
  pages.flatMap((page) =>
    fences(page)
      .filter(({ language }) => language === wanted)
      .map((fence) => ({ page, ...fence })),
  );
const curls = examplesIn('sh').filter(({ text }) => /^curl\b/m.test(text));
const programs = examplesIn('ts');

describe('the examples of the documents', () => {
  let service: DemoService;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    service = await startDemoService();
    const words = ['key', 'create', '--account', 'demo@marquee.example', '--tier', 'enterprise', '--test'];
    const testKey = await marquee(words, service.settings);
    env = {
      ...process.env,
      NODE_OPTIONS: '',
      MARQUEE_KEY: service.keys.enterprise,
      MARQUEE_TEST_KEY: testKey.stdout.trim(),
      EVENT_ID: await idOf('events'),
      VENUE_ID: await idOf('venues'),
    };
  });
  afterAll(() => service?.stop());

  async function idOf(kind: 'events' | 'venues'): Promise<string> {
    const answer = await fetch(`${service.url}/api/v1/${kind}?limit=1`, { headers: { 'X-API-Key': service.keys.enterprise } });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    return data[0]?.id ?? '';
  }
  const here = (text: string) => text.replaceAll('http://127.0.0.1:3000', service.url);

  it('are marked as what they are: no curl stands outside a block that is run', () => {
    const all = pages.flatMap((page) => fences(page).map((fence) => ({ page, ...fence })));
    expect(
      all.filter(({ language, text }) => language !== 'sh' && /^curl\b/m.test(text)).map(({ page, line }) => `${page}:${line}`),
    ).toEqual([]);
  });

  it('are seen at all', () => {
    expect(curls.length).toBeGreaterThan(2);
    expect(programs.length).toBeGreaterThan(0);
  });

  it.each(curls)('$page:$line asks something that is answered with 200', async ({ text }) => {
    // Each curl of the block says its status on a line of its own; the first that is refused ends the block.
    const script = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body -w '\\nstatus %{http_code}\\n' "$@"; }\n${here(text)}`;
    const { stdout } = await run('bash', ['-c', script], { env, maxBuffer: MAX_OUTPUT_BYTES });
    const statuses = [...stdout.matchAll(/^status (\d+)$/gm)].map(([, status]) => status);
    expect(statuses.length).toBe([...text.matchAll(/^curl\b/gm)].length);
    expect(new Set(statuses)).toEqual(new Set(['200']));
  });

  it.each(programs)('$page:$line runs as a program', async ({ text, line }) => {
    const { folder, remove } = temporaryFolder();
    const file = join(folder, `line-${line}.mts`);
    writeFileSync(file, here(text));
    try {
      const { stdout, stderr } = await run(process.execPath, [file], { env });
      expect(stderr).toBe('');
      expect(stdout).not.toBe('');
    } finally {
      remove();
    }
  });
});

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
