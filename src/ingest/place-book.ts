/** What a run of a source knows about where venues are: those of the source itself, those of the directory, the neighborhoods. */

import type { Kysely } from 'kysely';
import { readNeighborhoods, slugify } from '../catalog/index.ts';
import type { PlaceHint } from '../providers/index.ts';
import type { Database } from '../store/index.ts';

export interface Point {
  latitude: number;
  longitude: number;
}
export interface Place extends Point {
  isApproximate?: true;
}
/** A venue of this source. One that is not in the directory yet is new. */
export interface KnownVenue extends Place {
  externalId: string;
  isNew: boolean;
}

export interface PlaceBook {
  /** The slug of a neighborhood given by slug or name; null when the directory has none such. */
  neighborhood(name: string): string | null;
  /** Notes that a venue of this name is at a point; the same name nearby is the same venue. */
  note(name: string, place: Place): KnownVenue;
  /** Where a venue without coordinates is: as this source says elsewhere, as the directory knows, or as the hints say. */
  find(name: string, hints: readonly PlaceHint[]): Place | null;
}

/**
 * Two venues of one name that lie further apart than `SAME_VENUE_METRES` are two (chains), and then the name alone says
 * nothing. The answers do not depend on the order in which venues are asked for, only on what was noted before.
 */
export async function openPlaceBook(db: Kysely<Database>, sourceId: string): Promise<PlaceBook> {
  const own = new Map<string, KnownVenue[]>();
  const others = new Map<string, Point[]>();
  for (const { name, point, external_id, approximate } of await directoryVenues(db, sourceId)) {
    if (external_id === null) entry(others, key(name)).push(point);
    else
      entry(own, key(name)).push({
        ...point,
        externalId: external_id,
        isNew: false,
        ...(approximate ? { isApproximate: true } : {}),
      });
  }
  const neighborhoods = await readNeighborhoods(db);
  const bySlug = new Map(neighborhoods.map((each) => [each.slug, each]));
  const byName = new Map(neighborhoods.map((each) => [key(each.name), each]));
  const neighborhood = (name: string) => bySlug.get(name) ?? byName.get(key(name)) ?? null;

  const byVenueName = (name: string): Place | null => {
    const mine = own.get(key(name)) ?? [];
    const exact = mine.filter(({ isApproximate }) => !isApproximate);
    return (
      onePlace(exact) ?? onePlace(exact.length > 0 ? [] : (others.get(key(name)) ?? [])) ?? onePlace(exact.length > 0 ? [] : mine)
    );
  };

  const follow = (hint: PlaceHint): Place | null => {
    if (hint.kind === 'point') return { latitude: hint.latitude, longitude: hint.longitude, isApproximate: true };
    if (hint.kind === 'venue') return byVenueName(hint.name);
    const found = neighborhood(hint.name);
    return found && { latitude: found.latitude, longitude: found.longitude };
  };

  return {
    neighborhood: (name) => neighborhood(name)?.slug ?? null,
    note(name, place) {
      const known = entry(own, key(name));
      const near = known
        .map((venue) => ({ venue, metres: distance(venue, place) }))
        .filter(({ metres }) => metres <= SAME_VENUE_METRES)
        .sort((a, b) => a.metres - b.metres || (a.venue.externalId < b.venue.externalId ? -1 : 1));
      if (near[0]) return near[0].venue;
      const externalId = `${key(name).slice(0, MOST_KEY_CHARS)}@${place.latitude.toFixed(4)},${place.longitude.toFixed(4)}`;
      const venue: KnownVenue = { ...place, externalId, isNew: true };
      known.push(venue);
      return venue;
    },
    find(name, hints) {
      const known = byVenueName(name);
      if (known) return known;
      for (const hint of hints) {
        const place = follow(hint);
        if (place) return place;
      }
      return null;
    },
  };
}

/** The first of places that all lie together; null when there is none or they lie apart. */
function onePlace(places: readonly Place[]): Place | null {
  const [first, ...rest] = places;
  return first && rest.every((place) => distance(first, place) <= SAME_VENUE_METRES) ? first : null;
}

/** Metres between two points of a city: a degree is nearly a constant there. */
function distance(a: Point, b: Point): number {
  const north = (a.latitude - b.latitude) * METRES_PER_DEGREE;
  const east = (a.longitude - b.longitude) * METRES_PER_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}

async function directoryVenues(db: Kysely<Database>, sourceId: string) {
  const rows = await db
    .selectFrom('venue')
    .leftJoin('record', (join) =>
      join.onRef('record.venue_id', '=', 'venue.id').on('record.source_id', '=', sourceId).on('record.kind', '=', 'venue'),
    )
    .select(['venue.name', 'venue.latitude', 'venue.longitude', 'record.external_id', 'record.listing'])
    .where('venue.state', '=', 'published')
    .orderBy('venue.id')
    .execute();
  return rows.map((row) => ({
    name: row.name,
    point: { latitude: row.latitude, longitude: row.longitude },
    external_id: row.external_id,
    approximate: (row.listing as { isApproximate?: boolean } | null)?.isApproximate === true,
  }));
}

function entry<T>(map: Map<string, T[]>, name: string): T[] {
  const held = map.get(name);
  if (held) return held;
  const made: T[] = [];
  map.set(name, made);
  return made;
}

/** Names are compared by their letters and digits. */
const key = (name: string): string => slugify(name) || name.normalize('NFKC').toLowerCase().trim();

/** The size of a large building: providers place one venue at its door, its middle or its address. */
const SAME_VENUE_METRES = 250;
const METRES_PER_DEGREE = 111_320;
const MOST_KEY_CHARS = 200;
