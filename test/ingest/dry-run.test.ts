import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { addFeed, FEED_MAPPING, type Feed, listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();

describe('a dry run', () => {
  it('names every field that the run changes then, of events and of venues', async () => {
    await inFullFeed(async (feed) => {
      for (const records of [[...BEFORE, LOST], BEFORE]) {
        feed.write(records);
        await feed.run();
      }
      const before = await readRows();
      feed.write([...AFTER, LOST]);
      const { difference } = await feed.run({ dryRun: true });
      expect(await readRows()).toEqual(before);
      expect((await feed.run()).difference).toEqual(difference);
      const after = await readRows();
      for (const [entity, lines] of [
        ['event', difference.changed],
        ['venue', difference.venues.changed],
      ] as const) {
        const changed = changedColumns(before[entity], after[entity]).filter((column) => !FOLLOWING[entity].includes(column));
        expect(namesIn(lines), entity).toEqual(namesOf(entity, changed));
        // The comparison proves little for a field that no source has said otherwise.
        expect(changed.sort(), entity).toEqual(
          Object.keys(FIELDS[entity])
            .filter((column) => !OF_BUNDLES.has(column))
            .sort(),
        );
      }
    });
  });

  it('knows every column of events and venues: each is a field that it names, or follows from one', async () => {
    await two.sayTheSame();
    const rows = await readRows();
    for (const entity of ['event', 'venue'] as const) {
      const [row] = rows[entity].values();
      expect(Object.keys(row ?? {}).sort(), entity).toEqual([...Object.keys(FIELDS[entity]), ...FOLLOWING[entity]].sort());
    }
  });
});

/** A source that lists all that a mapping can read. */
async function inFullFeed(use: (feed: Feed) => Promise<void>): Promise<void> {
  const { folder, remove } = temporaryFolder();
  const venue = { ...FEED_MAPPING.fields.venue, type: 'sort', capacityTier: 'size', isVerified: 'known', website: 'site' };
  const fields = { ...FEED_MAPPING.fields, image: 'image', performers: 'acts', tags: 'tags', venue };
  try {
    await use(await addFeed(two.store, folder, 'full', { mapping: { ...FEED_MAPPING, fields } }));
  } finally {
    remove();
  }
}

type Row = Record<string, unknown>;

async function readRows(): Promise<Record<'event' | 'venue', Map<string, Row>>> {
  const read = async (table: 'event' | 'venue') => {
    const rows: Row[] = await two.store.db.selectFrom(table).selectAll().execute();
    return new Map(rows.map((row) => [String(row.id), row]));
  };
  return { event: await read('event'), venue: await read('venue') };
}

/** Of the records that were there before. */
function changedColumns(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): string[] {
  const columns = [...after].flatMap(([id, row]) => {
    const old = before.get(id);
    return old ? Object.keys(row).filter((column) => JSON.stringify(row[column]) !== JSON.stringify(old[column])) : [];
  });
  return [...new Set(columns)];
}

const namesIn = (lines: readonly { fields: object }[]): string[] =>
  [...new Set(lines.flatMap(({ fields }) => Object.keys(fields)))].sort();

const namesOf = (entity: 'event' | 'venue', columns: readonly string[]): string[] =>
  columns.map((column) => FIELDS[entity][column] ?? column).sort();

/** By column, the name in a report. */
const FIELDS: Readonly<Record<'event' | 'venue', Readonly<Record<string, string>>>> = {
  event: {
    title: 'title',
    category: 'category',
    starts_at: 'start',
    ends_at: 'end',
    precision: 'precision',
    description: 'description',
    image_url: 'image',
    is_free: 'isFree',
    price_min: 'priceMin',
    price_max: 'priceMax',
    venue_id: 'venue',
    status: 'status',
    performers: 'performers',
    tags: 'tags',
    sources: 'sources',
    links: 'links',
    organizer: 'organizer',
    unconfirmed_since: 'unconfirmed',
  },
  venue: {
    name: 'name',
    type: 'type',
    address: 'address',
    latitude: 'latitude',
    longitude: 'longitude',
    capacity_tier: 'capacity',
    is_verified: 'verified',
    neighborhood: 'neighborhood',
    website: 'website',
    parking: 'parking',
    transit_nearby: 'transit',
    opening_hours: 'hours',
    location_precision: 'precision',
  },
};
/** No source of a mapping says these. */
const OF_BUNDLES: ReadonlySet<string> = new Set(['parking', 'transit_nearby', 'opening_hours']);
/** Columns that are made of others, or have lines of their own: what is created, merged or no longer listed. */
const FOLLOWING: Readonly<Record<'event' | 'venue', readonly string[]>> = {
  event: [
    ...['id', 'slug', 'words', 'run', 'previous_starts_at', 'revision', 'state', 'merged_into', 'created_at', 'updated_at'],
    ...['discovery_score', 'appeal', 'showing', 'score_context', 'scored_at', 'scored_day'],
  ],
  venue: ['id', 'slug', 'words', 'state', 'merged_into', 'created_at', 'updated_at'],
};

const hall = (more: object) => ({ placeId: 'hall', place: 'Harbor Hall', ...more });
const attic = { placeId: 'attic', place: 'Attic', lat: 40.02, lon: -73.85 };
const stays = listing('stays', { ...attic, start: '2026-06-22T20:00:00' });
const LOST = listing('lost', { ...attic, start: '2026-06-25T20:00:00' });
const BEFORE = [
  stays,
  listing('moves', hall({ start: '2026-06-21T20:00:00' })),
  listing('all', hall({ address: '1 Quay', lat: 40.05, lon: -73.95, sort: 'bar', size: 'small', known: true })),
];
const AFTER = [
  stays,
  listing('moves', { ...attic, start: '2026-06-21T20:00:00' }),
  listing('all', {
    ...hall({ place: 'Harbor House', address: '2 Quay', lat: null, lon: null, area: 'uptown' }),
    // Where only the area is known, nobody has verified the place.
    ...{ sort: 'museum', size: 'large', known: true, site: 'https://hall.example/' },
    ...{ name: 'Everything Else', kind: 'comedy', start: '2026-06-24', end: '2026-06-25', free: true, text: 'All of it new' },
    ...{ image: 'https://hall.example/all.jpg', acts: ['Ann'], tags: ['new'], status: 'sold_out', provider: 'quay' },
    url: 'https://hall.example/all',
    by: 'Friends of the Hall',
  }),
];
