/** What people ask of a real city. One engine is enough: the read model answers. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { ask, marquee, type RunningService, startService } from '../support/rigs/service.ts';
import { type Counted, countEvents, says } from './count.ts';
import { NYC, writeNycBundle } from './load.ts';

/** Each with what the published file says, counted without Marquee. */
const QUESTIONS = (count: (...tests: ((event: Counted) => boolean)[]) => number) => ({
  'what is on in the next 30 days': ['/events', count(isSoon)],
  'what of it is free': ['/events?free=true', count(isSoon, ({ listings }) => listings.some(({ isFree }) => isFree))],
  'what is a greenmarket': ['/events?q=greenmarket', count(isSoon, says(/greenmarket/i))],
  'where is tai chi practised, in these words': ['/events?q=%22tai%20chi%22', count(isSoon, says(/tai chi/i))],
  'what starts on Saturday, 20 June': [
    '/events?start_date=2026-06-20&end_date=2026-06-20',
    count(({ start }) => start.startsWith('2026-06-20')),
  ],
  'what is on at the Village Vanguard': ['/events?q=village+vanguard', count(isSoon, says(/village vanguard/i))],
  'when do the Yankees play': ['/events?q=yankees', count(isSoon, says(/yankee/i))],
  'where is jazz': ['/events?q=jazz', count(isSoon, says(/\bjazz\b/i))],
  'what is on or runs already': ['/events?ongoing=true', count((event) => isSoon(event) || isRunning(event))],
});

/** A show of which only the day is known is still to come on that day. */
const isSoon = ({ start }: Counted) => (start.length === DAY ? start >= NOW.slice(0, DAY) : start >= NOW) && start <= END;
const isRunning = ({ start, end }: Counted) => start < NOW && end !== null && end > NOW;
/** Ticket sellers file most of Broadway under "other"; what theatres show besides, and plays in parks, by reading the titles. */
const isTheater = ({ listings }: Counted) =>
  listings.some(
    ({ source, category, title, venue }) =>
      !/NT ?Live|National Theatre Live|Orchestra|Chamber Music|Comedy Club|Sip & Paint|Sip and Paint|Supper Club/.test(title) &&
      (category === 'theater' ||
        (/seatgeek|ticketmaster/.test(source) &&
          category === 'other' &&
          /theat|playhouse|stage|broadway|studio 54/i.test(venue)) ||
        /AS YOU LIKE IT|Julius Caesar|Uncle Vanya|presents: Hamlet|Swan Lake/.test(title)),
  );

const [NOW, END, DAY] = ['2026-06-16T16:00', '2026-07-16T16:00', '2026-06-16'.length];

describe.skipIf(NYC.missing)('New York, loaded by commands', () => {
  const bundle = temporaryFolder();
  // Open here, so that no command has to start an engine of its own.
  let store: TestStore;
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    store = await openTestStore('embedded');
    const env = { MARQUEE_DATA_DIR: store.options.dataDir, MARQUEE_NOW: NYC.now };
    writeNycBundle(bundle.folder);
    const commands = [
      ['import', bundle.folder],
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
  });
  afterAll(async () => {
    await service?.stop();
    await store?.dispose();
    bundle.remove();
  });

  const get = async (path: string) => {
    const { status, body } = await ask(service, path, key);
    expect(status).toBe(200);
    return body;
  };
  const total = async (path: string): Promise<number> => (await get(path)).meta.total;

  it('answers what the file says', async () => {
    const events = countEvents();
    const listed = events.filter(({ isCancelled }) => !isCancelled);
    const questions = QUESTIONS((...tests) => listed.filter((event) => tests.every((test) => test(event))).length);
    const answers: [string, number][] = [];
    for (const [question, [path]] of Object.entries(questions)) answers.push([question, await total(String(path))]);
    expect(answers).toEqual(Object.entries(questions).map(([question, [, count]]) => [question, count]));
    expect(await total('/events?status=cancelled')).toBe(events.filter((event) => event.isCancelled && isSoon(event)).length);
    expect(await total('/events')).toBe(2536);
  });

  it('finds the plays, musicals and ballets, and hardly anything else', async () => {
    const theaters = countEvents().filter((event) => !event.isCancelled && isSoon(event) && isTheater(event)).length;
    expect(theaters).toBeGreaterThan(300);
    expect(Math.abs((await total('/events?category=theater')) / theaters - 1)).toBeLessThan(0.03);
  });

  it('begins with what starts at or after the clock, or today at an hour that nobody knows', async () => {
    const { data } = await get('/events?sort=start&limit=100');
    const starts: string[] = data.map(({ startDatetime }: { startDatetime: string }) => startDatetime);
    expect(starts).toEqual(starts.toSorted());
    const today = starts.filter((start) => start < NYC.now);
    expect(today.length).toBeGreaterThan(40);
    expect(new Set(today)).toEqual(new Set(['2026-06-16T00:00:00-04:00']));
  });

  it('is in order of the score, then of the start', async () => {
    const { data } = await get('/events?limit=100');
    const keys = data.map(({ discoveryScore, startDatetime }: { discoveryScore: number; startDatetime: string }) => [
      -discoveryScore,
      Date.parse(startDatetime),
    ]);
    expect(keys).toEqual([...keys].sort(([a, b], [c, d]) => a - c || b - d));
  });
});
