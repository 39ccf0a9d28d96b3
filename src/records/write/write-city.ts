/** The city itself and its neighborhoods. There are few of them, so they are compared as a whole. */

import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { PolygonGeometry } from '../../values/polygon.ts';
import { renewEpoch } from '../changes/change-log.ts';
import { plainField, previousValues } from '../changes/compare-fields.ts';
import type { Change, City, Neighborhood } from '../model.ts';
import { tellMoved } from './write-venues.ts';

/** The city of this directory; null before one is loaded. */
export async function readCity(db: Kysely<Database>): Promise<City | null> {
  const row = await db
    .selectFrom('city')
    .select(['slug', 'name', 'timezone', 'currency', 'locale', 'latitude', 'longitude'])
    .select(['languages', 'credit', 'radius_km as radiusKm'])
    .executeTakeFirst();
  if (!row) return null;
  const { languages, credit, radiusKm, ...city } = row;
  const optional = {
    ...(languages.length > 0 && { languages }),
    ...(credit !== null && { credit }),
    ...(radiusKm !== null && { radiusKm }),
  };
  return { ...city, ...optional };
}

/** Writes the city when it differs. Returns the changes, for `recordChanges`. */
export async function writeCity(trx: Transaction<Database>, city: City): Promise<Change[]> {
  const held = await readCity(trx);
  if (held && isDeepStrictEqual({ ...held }, city)) return [];
  const { languages = [], credit = null, radiusKm = null, ...facts } = city;
  const row = { ...facts, languages: [...languages], credit, radius_km: radiusKm };
  await trx
    .insertInto('city')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute();
  // Every record is printed by the city's clock: what readers hold is of another history now.
  if (held) await renewEpoch(trx);
  return [{ kind: held ? 'updated' : 'created', entity: 'city', entityId: null }];
}

/** All neighborhoods, by slug. */
export async function readNeighborhoods(db: Kysely<Database>): Promise<Neighborhood[]> {
  const rows = await db
    .selectFrom('neighborhood')
    .select(['id', 'slug', 'name', 'description', 'latitude', 'longitude', 'geometry'])
    .orderBy('slug')
    .execute();
  return rows.map((row) => ({ ...row, geometry: row.geometry as PolygonGeometry }));
}

/** Another text whenever neighborhoods were written: their polygons are megabytes in a large city. */
export async function loadNeighborhoodsVersion(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select count(*)::text || ' ' || coalesce(max(updated_at)::text, '') as version from neighborhood`.execute(db);
  return rows[0]?.version ?? '';
}

/** Writes neighborhoods (each new or with the id it has) that are known to differ. Returns the changes. */
export async function writeNeighborhoods(
  trx: Transaction<Database>,
  neighborhoods: readonly (Neighborhood & { isNew: boolean })[],
  now: number,
): Promise<Change[]> {
  if (neighborhoods.length === 0) return [];
  const stored = new Map((await readNeighborhoods(trx)).map((neighborhood) => [neighborhood.id, neighborhood]));
  const rows = neighborhoods.map(({ isNew: _, ...neighborhood }) => neighborhood);
  await sql`
    insert into neighborhood (id, slug, name, description, latitude, longitude, geometry, updated_at)
    select id, slug, name, description, latitude, longitude, geometry, ${new Date(now)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, slug text, name text, description text,
      latitude double precision, longitude double precision, geometry jsonb)
    on conflict (id) do update set slug = excluded.slug, name = excluded.name, description = excluded.description,
      latitude = excluded.latitude, longitude = excluded.longitude, geometry = excluded.geometry, updated_at = excluded.updated_at`.execute(
    trx,
  );
  const changes = neighborhoods.map((neighborhood): Change => {
    const before = stored.get(neighborhood.id);
    const change = { entity: 'neighborhood', entityId: neighborhood.id } as const;
    if (neighborhood.isNew || !before) return { ...change, kind: 'created' };
    return { ...change, kind: 'updated', previous: previousValues<NeighborhoodFields>(before, neighborhood, SHOWN_FIELDS) ?? {} };
  });
  const renamed = neighborhoods.flatMap(({ id, slug }) => {
    const before = stored.get(id);
    return before && before.slug !== slug ? [{ from: before.slug, to: slug }] : [];
  });
  return [...changes, ...(await tellRenamed(trx, renamed, now))];
}

/** Venues follow a renamed neighborhood by themselves (`on update cascade`); this tells of them. */
async function tellRenamed(
  trx: Transaction<Database>,
  renamed: readonly { from: string; to: string }[],
  now: number,
): Promise<Change[]> {
  if (renamed.length === 0) return [];
  const { rows } = await sql<{ id: string; state: string; from: string }>`
    select venue.id, venue.state, r.from_slug as from from venue
    join unnest(${renamed.map(({ from }) => from)}::text[], ${renamed.map(({ to }) => to)}::text[]) as r (from_slug, to_slug)
      on venue.neighborhood = r.to_slug`.execute(trx);
  return await tellMoved(
    trx,
    rows.map(({ id, state, from }) => ({ id, state, neighborhood: from })),
    now,
  );
}

type NeighborhoodFields = Omit<Neighborhood, 'id' | 'geometry'>;
const SHOWN_FIELDS = {
  slug: plainField('slug'),
  name: plainField('name'),
  description: plainField('description'),
  latitude: plainField('latitude'),
  longitude: plainField('longitude'),
};

/** Deletes neighborhoods. No published venue may lie there any more; venues out of the directory lose theirs. Returns the changes. */
export async function removeNeighborhoods(
  trx: Transaction<Database>,
  neighborhoods: readonly { id: string; slug: string }[],
): Promise<Change[]> {
  if (neighborhoods.length === 0) return [];
  const slugs = neighborhoods.map(({ slug }) => slug);
  await trx
    .updateTable('venue')
    .set({ neighborhood: null })
    .where('neighborhood', 'in', slugs)
    .where('state', '<>', 'published')
    .execute();
  await trx.deleteFrom('neighborhood').where('slug', 'in', slugs).execute();
  return neighborhoods.map(({ id }) => ({ kind: 'removed', entity: 'neighborhood', entityId: id }));
}
