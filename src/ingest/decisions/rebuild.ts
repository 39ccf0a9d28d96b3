/** Records of the directory made anew of what their sources say by now and of what the operator says. */

import type { Transaction } from 'kysely';
import { type Change, readCity, writeEvents, writeVenues } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { scoreAll } from '../scores/score-events.ts';
import { applyEventCorrections, applyVenueCorrections } from './apply-corrections.ts';
import { loadEventSourceValues } from './source-values-of-events.ts';
import { loadVenueSourceValues } from './source-values-of-venues.ts';

/** Events of which no record is left stay as they are. */
export async function rebuildEvents(
  trx: Transaction<Database>,
  ids: readonly string[],
  now: number,
  { keepsStanding = true }: { keepsStanding?: boolean } = {},
): Promise<Change[]> {
  const said = [...(await loadEventSourceValues(trx, ids)).values()].flatMap((event) => event.said ?? []);
  const events = await scoreAll(trx, await applyEventCorrections(trx, said), now);
  const city = await readCity(trx);
  const day = createCityTime(city?.timezone ?? 'UTC').day(now);
  return await writeEvents(trx, events, { now, day }, { keepsStanding });
}

export async function rebuildVenue(trx: Transaction<Database>, id: string, now: number): Promise<Change[]> {
  const { said, locate } = await loadVenueSourceValues(trx, id);
  if (!said) return [];
  const [applied] = await applyVenueCorrections(trx, [said], locate);
  return applied ? writeVenues(trx, [applied.record], now) : [];
}
