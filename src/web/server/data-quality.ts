/** How complete and how fresh the directory is: counted in the database once in a while, with the ages of sources as the status has them. */

import { countCandidates } from '../../ingest/index.ts';
import { type Coverage, loadCoverage } from '../../records/index.ts';
import { countOpenReports } from '../../reports/index.ts';
import type { SourceFreshness } from '../../status/index.ts';
import { type HeldRooms, holdFacts } from './hold-facts.ts';
import type { Rooms } from './rooms.ts';

interface QualityRooms extends HeldRooms, Pick<Rooms, 'clocks' | 'status'> {}

export function createDataQuality(now: () => number = Date.now): (rooms: QualityRooms) => Promise<DataQuality> {
  const counts = holdFacts(HELD_MS, now, async ({ store, clocks }: QualityRooms) => {
    const [coverage, questions, reports] = await Promise.all([
      loadCoverage(store.db, clocks.directory()),
      countCandidates({ store }),
      countOpenReports(store.db),
    ]);
    return { ...coverage, questions, reports, at: now() };
  });
  return async (rooms) => {
    const [counted, { sources }] = await Promise.all([counts(rooms), rooms.status()]);
    const age = (seconds: number | null) => seconds ?? Number.POSITIVE_INFINITY;
    return { ...counted, sources: sources?.toSorted((a, b) => age(b.ageSeconds) - age(a.ageSeconds)) ?? null };
  };
}

interface DataQuality extends Coverage {
  /** Possible duplicates that wait for a person. `isMore`: they were not counted to the end. */
  questions: { total: number; isMore: boolean };
  /** Problems that readers reported and nobody has answered. */
  reports: number;
  /** The oldest first; null: not known right now. */
  sources: SourceFreshness[] | null;
  /** When it was counted, milliseconds since 1970. */
  at: number;
}

/** Five minutes: counting reads every listed event. */
const HELD_MS = 300_000;
