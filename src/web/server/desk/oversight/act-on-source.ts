/** The buttons of a source: run, pause, resume, release. */

import { releaseSource, setSourceState, wantRun } from '../../../../ingest/index.ts';
import type { Rooms } from '../../rooms.ts';
import type { Act } from '../act.ts';

/** `not_held`: there is nothing to release. `unknown`: there is no such source any longer. */
type SourceOutcome = 'done' | 'not_held' | 'unknown';

interface SourceAct {
  act(rooms: Rooms, name: string): Promise<SourceOutcome>;
}

async function runNow({ store, runs, clocks }: Rooms, name: string): Promise<SourceOutcome> {
  const isThere = await wantRun({ store, name, now: clocks.directory });
  if (!isThere) return 'unknown';
  runs.wake();
  return 'done';
}

async function put({ store }: Rooms, name: string, state: 'active' | 'paused'): Promise<SourceOutcome> {
  return (await setSourceState({ store, name, state })) === null ? 'unknown' : 'done';
}

async function release(rooms: Rooms, name: string): Promise<SourceOutcome> {
  const released = await releaseSource({ store: rooms.store, name });
  return released.ok ? runNow(rooms, name) : released.code;
}

const SOURCE_ACTS = {
  run: { act: runNow },
  pause: { act: (rooms, name) => put(rooms, name, 'paused') },
  resume: { act: (rooms, name) => put(rooms, name, 'active') },
  release: { act: release },
} as const satisfies Record<string, SourceAct>;

export type SourceIntent = keyof typeof SOURCE_ACTS;
export const isSourceIntent = (word: string): word is SourceIntent => Object.hasOwn(SOURCE_ACTS, word);

/** Does it once and writes it down. */
export function actOnSource(
  { once, note }: Act,
  rooms: Rooms,
  intent: SourceIntent,
  source: { id: string; name: string },
): Promise<SourceOutcome> {
  return once(async () => {
    const outcome = await SOURCE_ACTS[intent].act(rooms, source.name);
    if (outcome === 'done')
      await note({ action: `source.${intent}`, subject: 'source', subjectId: source.id, detail: { name: source.name } });
    return outcome;
  });
}
