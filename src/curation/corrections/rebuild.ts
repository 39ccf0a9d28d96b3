/** Records of the directory made anew of what their sources say by now and of what the operator says. */

import type { Transaction } from 'kysely';
import { type Change, loadRunKeys, readCity, runKey, writeEvents, writeVenues } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { scoreAll } from '../../score-jobs/index.ts';
import type { Database } from '../../store/index.ts';
import { loadEventSourceValues } from '../source-values/source-values-of-events.ts';
import { loadVenueSourceValues } from '../source-values/source-values-of-venues.ts';
import { applyEventCorrections, applyVenueCorrections } from './apply-corrections.ts';

/** Events of which no record is left stay as they are. `runs`: those whose showings may count anew; see `settleShowings`. */
export async function rebuildEvents(
  trx: Transaction<Database>,
  ids: readonly string[],
  now: number,
  { keepsStanding = true }: { keepsStanding?: boolean } = {},
): Promise<{ changes: Change[]; runs: string[] }> {
  const before = await loadRunKeys(trx, ids);
  const said = [...(await loadEventSourceValues(trx, ids)).values()].flatMap((event) => event.said ?? []);
  const events = await scoreAll(trx, await applyEventCorrections(trx, said), now);
  const city = await readCity(trx);
  const day = createCityTime(city?.timezone ?? 'UTC').day(now);
  const changes = await writeEvents(trx, events, { now, day }, { keepsStanding });
  return { changes, runs: [...before, ...events.map(({ title }) => runKey(title))] };
}

export async function rebuildVenue(trx: Transaction<Database>, id: string, now: number): Promise<Change[]> {
  const { said, locate } = await loadVenueSourceValues(trx, id);
  if (!said) return [];
  const [applied] = await applyVenueCorrections(trx, [said], locate);
  return applied ? writeVenues(trx, [applied.record], now) : [];
}
