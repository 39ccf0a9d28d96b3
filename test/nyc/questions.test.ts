import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, marquee, type RunningService, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/store.ts';
import { NYC, writeNycBundle } from './load.ts';

/**
 * How many events answer, and of how many listings with a start: those were counted in the published file by another program, without
 * Marquee. What several providers list is one event; and the words of titles and venues find theater that its provider calls something else.
 */
const QUESTIONS = [
  ['what is on in the next 30 days', '/events', 2533, 2801],
  ['what of it is free', '/events?free=true', 1673, 1748],
  ['what is a greenmarket', '/events?q=greenmarket', 214, 214],
  ['where is tai chi practised, in these words', '/events?q=%22tai%20chi%22', 3, 3],
  ['what starts on Saturday, 20 June', '/events?start_date=2026-06-20&end_date=2026-06-20', 203, 215],
  ['what is on at the Village Vanguard', '/events?q=village+vanguard', 46, 46],
  ['what was cancelled', '/events?status=cancelled', 13, 13],
  ['what is there in the theaters', '/events?category=theater', 340, 293],
  ['when do the Yankees play', '/events?q=yankees', 4, 7],
  ['where is jazz', '/events?q=jazz', 194, 194],
  ['what is on or runs already', '/events?ongoing=true', 2605, 2874],
] as const;

describe.skipIf(NYC.missing)('New York, loaded by commands', () => {
  const data = temporaryFolder();
  const env = { MARQUEE_DATA_DIR: join(data.folder, 'data'), MARQUEE_NOW: NYC.now };
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    const bundle = join(data.folder, 'bundle');
    writeNycBundle(bundle);
    const commands = [
      ['import', bundle],
      ['source', 'add', NYC.events.kind, NYC.events.file, '--mapping', NYC.events.mapping, '--name', 'dashboard'],
      ['ingest', 'dashboard', '--json'],
      ['account', 'create', '--email', 'city@marquee.example', '--tier', 'enterprise'],
      ['key', 'create', '--account', 'city@marquee.example'],
    ];
    for (const words of commands) {
      const { status, stdout, stderr } = await marquee(words, env);
      expect(stderr).toBe('');
      expect(status).toBe(0);
      key = stdout.trim();
    }
    service = await startService(['serve'], env);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    data.remove();
  });

  it.each(QUESTIONS)('answers %s', async (_question, path, events) => {
    const { status, body } = await ask(service, path, key);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(events);
  });

  it('begins with what starts at or after the clock, in order', async () => {
    const { body } = await ask(service, '/events?limit=100', key);
    const keys = body.data.map((event: { discoveryScore: number; startDatetime: string }) => [
      -event.discoveryScore,
      Temporal.Instant.from(event.startDatetime).epochMilliseconds,
    ]);
    expect(keys).toEqual([...keys].sort(([a, b], [c, d]) => a - c || b - d));
    const now = Temporal.Instant.from(NYC.now).epochMilliseconds;
    expect(Math.min(...keys.map(([, start]: number[]) => start))).toBeGreaterThanOrEqual(now);
  });
});
