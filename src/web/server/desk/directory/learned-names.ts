/** The names of a venue that were learned from events listed twice, with the evidence. */

import { learnedAliases, loadCoListings, readDecisions } from '../../../../ingest/index.ts';
import type { Store } from '../../../../store/index.ts';
import type { LearnedName, ListingView } from '../../../model/desk/record.ts';

export async function readLearnedNames({ db }: Store, listings: readonly ListingView[]): Promise<LearnedName[]> {
  const titles = new Map(listings.map(({ id, title }) => [id, title]));
  const decisions = (await readDecisions(db)).filter(({ kind }) => kind === 'venue');
  const aliases = learnedAliases(await loadCoListings(db, [...titles.keys()]), decisions);
  return aliases.flatMap(({ left, right, nights }) => {
    const [one, other] = [titles.get(left), titles.get(right)];
    if (one === undefined || other === undefined) return [];
    const samples = nights.slice(-MAX_SAMPLES).map(({ night, title }) => `${night}: ${title}`);
    return [{ id: `${left} ${right}`, names: `“${one}” and “${other}”`, nights: nights.length, samples }];
  });
}

const MAX_SAMPLES = 3;
