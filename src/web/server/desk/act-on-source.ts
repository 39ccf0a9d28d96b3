/** The buttons of a source: run, pause, resume, release. */

import { releaseSource, setSourceState, wantRun } from '../../../ingest/index.ts';
import type { Rooms } from '../rooms.ts';
import type { Act } from './act.ts';

interface SourceAct {
  /** False when there is no such source any longer. */
  act(rooms: Rooms, name: string): Promise<boolean>;
}

async function runNow({ store, runs, clocks }: Rooms, name: string): Promise<boolean> {
  const isThere = await wantRun({ store, name, now: clocks.directory });
  if (isThere) runs.wake();
  return isThere;
}

const SOURCE_ACTS = {
  run: { act: runNow },
  pause: { act: ({ store }, name) => setSourceState({ store, name, state: 'paused' }) },
  resume: { act: ({ store }, name) => setSourceState({ store, name, state: 'active' }) },
  release: { act: async (rooms, name) => (await releaseSource({ store: rooms.store, name })) && runNow(rooms, name) },
} as const satisfies Record<string, SourceAct>;

export type SourceIntent = keyof typeof SOURCE_ACTS;
export const isSourceIntent = (word: string): word is SourceIntent => Object.hasOwn(SOURCE_ACTS, word);

/** Does it once and writes it down. False when there is no such source. */
export function actOnSource(
  { once, note }: Act,
  rooms: Rooms,
  intent: SourceIntent,
  source: { id: string; name: string },
): Promise<boolean> {
  return once(async () => {
    const isDone = await SOURCE_ACTS[intent].act(rooms, source.name);
    if (isDone)
      await note({ action: `source.${intent}`, subject: 'source', subjectId: source.id, detail: { name: source.name } });
    return isDone;
  });
}
