/** What an operator finds on the desk: sources in every state, questions, a run that is held; made on a site with the demo city. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addSource, runSource, setSourceState } from '../../../src/ingest/index.ts';
import type { Site } from './site.ts';
import { FEED_MAPPING, READING } from './sources.ts';

export interface DeskSource {
  id: string;
  name: string;
  write(records: readonly object[]): void;
  /** In this process: a test that waits for a worker asks the page instead. */
  run(): Promise<unknown>;
}

/** `days`: from today; all else are fields of the record. */
interface ShowParts {
  at?: 'home' | 'other';
  days?: number;
  [field: string]: unknown;
}

export interface DeskTools {
  add(name: string, more?: { trust?: number }): Promise<DeskSource>;
  /** A record that the mapping reads, at one of the city's own venues. */
  show(id: string, name: string, more?: ShowParts): object;
  /** Three pairs that are asked about, of two sources: `radio` and `press`. */
  ask(): Promise<{ radio: DeskSource; press: DeskSource }>;
  /** A source whose last answer lost four of six events. */
  hold(name: string): Promise<DeskSource>;
  fail(name: string): Promise<DeskSource>;
  pause(name: string): Promise<DeskSource>;
}

export async function openDesk(site: Site): Promise<DeskTools> {
  const { store } = site;
  const now = site.now;
  const [home, other] = await store.db.selectFrom('venue').selectAll().orderBy('slug').limit(2).execute();
  if (!home || !other) throw new Error('the desk of a test wants the demo city');
  const spots = { home, other };

  const show = (id: string, name: string, { at = 'home', days = 3, ...more }: ShowParts = {}) => ({
    id,
    name,
    kind: 'music',
    start: `${new Date(now() + days * A_DAY_MS).toISOString().slice(0, 10)}T20:00:00`,
    place: spots[at].name,
    lat: spots[at].latitude,
    lon: spots[at].longitude,
    ...more,
  });

  async function add(name: string, more: { trust?: number } = {}): Promise<DeskSource> {
    const file = join(site.dataDir, `feed-${crypto.randomUUID()}.json`);
    const write = (records: readonly object[]) => writeFileSync(file, JSON.stringify({ events: records }));
    write([]);
    const added = await addSource({ store, kind: 'json', location: file, mapping: FEED_MAPPING, name, now, ...more });
    if (!added.ok) throw new Error(added.reason);
    const run = () => runSource({ store, name, now, ...READING });
    return { id: added.source.id, name, write, run };
  }

  /** After its first run, so that no worker of the site takes it for due meanwhile. */
  const schedule = async ({ id }: DeskSource, everySeconds: number): Promise<void> => {
    await store.db.updateTable('source').set({ every_seconds: everySeconds }).where('id', '=', id).execute();
  };

  return {
    add,
    show,
    async ask() {
      const radio = await add('radio', { trust: 0.8 });
      const press = await add('press', { trust: 0.4 });
      radio.write([
        show('r1', 'Copper Lantern', { text: 'An evening of brass', min: 12, max: 20, url: 'https://radio.example/r1' }),
        show('r2', 'Brass Harbor', { days: 4 }),
        show('r3', 'Velvet Sparrow', { days: 5 }),
      ]);
      press.write([
        show('p1', 'Iron Lantern', { min: 15, url: 'https://press.example/p1' }),
        show('p2', 'Glass Harbor', { days: 4 }),
        show('p3', 'Cotton Sparrow', { days: 5 }),
      ]);
      await radio.run();
      await schedule(radio, 3600);
      await press.run();
      return { radio, press };
    },
    async hold(name) {
      const source = await add(name);
      const nights = ['Aspen', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir'].map((tree, i) =>
        show(`${name}-${tree}`, `${tree} Ensemble`, { days: 6 + i }),
      );
      source.write(nights);
      await source.run();
      source.write([...nights.slice(0, 2), show(`${name}-new`, 'Hazel Ensemble', { days: 20 })]);
      await source.run();
      await schedule(source, 7200);
      return source;
    },
    async fail(name) {
      const source = await add(name);
      await runSource({ store, name, now, ...READING, read: () => Promise.reject(new Error('broken')) }).catch(() => undefined);
      await store.db
        .updateTable('source')
        .set({
          last_error: 'https://feeds.example/list?apikey=sk_secret_value answered 503',
          // No worker repairs it in the middle of a test.
          retry_at: new Date(now() + A_DAY_MS),
          every_seconds: 1800,
        })
        .where('id', '=', source.id)
        .execute();
      return source;
    },
    async pause(name) {
      const source = await add(name);
      await setSourceState({ store, name, state: 'paused' });
      return source;
    },
  };
}

const A_DAY_MS = 86_400_000;
