/** What the sources of a venue list by now, read from its records: the directory without corrections. */

import type { Kysely } from 'kysely';
import {
  byAge,
  createLocator,
  type Locate,
  mergeVenue,
  roomsAmong,
  type VenueDraft,
  type VenueFacts,
  type VenueFieldChoice,
  type VenueRecord,
} from '../../facts/index.ts';
import { readNeighborhoods } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { loadListingsOfVenue } from '../records/load-listings.ts';
import { BUNDLE_SOURCE } from '../sources/sources.ts';
import { readDecisions } from './decisions.ts';
import type { ProvenanceRecord } from './source-values-of-events.ts';

export interface VenueSourceValues {
  records: ProvenanceRecord[];
  /** Null when no record of it is left. */
  said: VenueFacts | null;
  fields: VenueFieldChoice[];
  locate: Locate;
}

/** `known`: for who has read the polygons already, or does not want to know the neighborhood. */
export async function loadVenueSourceValues(db: Kysely<Database>, venueId: string, known?: Locate): Promise<VenueSourceValues> {
  const locate = known ?? createLocator(await readNeighborhoods(db));
  const rows = await loadListingsOfVenue(db, venueId);
  const records = rows.map((row): ProvenanceRecord => {
    const isBundle = row.source_kind === BUNDLE_SOURCE;
    const confirmed = row.gone_at ?? (isBundle ? null : row.last_ok_at) ?? row.last_seen_at;
    const times = { firstSeenAt: row.first_seen_at.getTime(), confirmedAt: confirmed.getTime(), isGone: row.gone_at !== null };
    const { website: url } = row.listing as VenueDraft;
    return {
      id: row.id,
      source: row.name,
      provider: row.name,
      externalId: row.external_id,
      url,
      ...times,
      repairs: [],
      isBundle,
    };
  });
  const present = rows.filter(({ gone_at }) => gone_at === null);
  const last = Math.max(...rows.map(({ gone_at }) => gone_at?.getTime() ?? 0));
  const speaking = present.length > 0 ? present : rows.filter(({ gone_at }) => gone_at?.getTime() === last);
  const spoken = speaking.map((row): VenueRecord => {
    const { id, content_hash: contentHash, external_id: externalId, source_id: sourceId } = row;
    const known = { id, sourceId, externalId, contentHash, listing: row.listing as VenueDraft };
    const place = { ownId: row.own_id ?? venueId, targetId: venueId, firstSeenAt: row.first_seen_at.getTime() };
    return { ...known, ...place, isBundle: row.source_kind === BUNDLE_SOURCE, isChanged: false };
  });
  const members = spoken.sort(byAge);
  if (members.length === 0) return { records, said: null, fields: [], locate };
  const trusts = new Map(rows.map(({ source_id, trust }) => [source_id, trust]));
  const decisions = (await readDecisions(db)).filter(({ kind }) => kind === 'venue');
  const merging = { locate, trustOf: (sourceId: string) => trusts.get(sourceId) ?? 0, rooms: roomsAmong(members, decisions) };
  const fields: VenueFieldChoice[] = [];
  const merged = mergeVenue(members, merging, (provenance) => fields.push(provenance));
  return { records, said: { id: venueId, ...merged }, fields, locate };
}
