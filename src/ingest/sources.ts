/** The registered sources: where listings come from, how they are read, how far they are trusted. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';

/** The source that all bundles share, made when missing; in a dry run one that has no records. Returns its id. */
export async function bundleSource(context: {
  db: Kysely<Database>;
  now: number;
  newId: () => string;
  dryRun: boolean;
}): Promise<string> {
  const find = () => context.db.selectFrom('source').select('id').where('name', '=', BUNDLE_SOURCE).executeTakeFirst();
  const held = await find();
  if (held) return held.id;
  const id = context.newId();
  if (context.dryRun) return id;
  await context.db
    .insertInto('source')
    .values({ id, name: BUNDLE_SOURCE, kind: BUNDLE_SOURCE, created_at: new Date(context.now) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await find())?.id ?? id;
}

/** Trust (0–1) by name of the source. */
export async function readTrusts(db: Kysely<Database>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('source').select(['name', 'trust']).execute();
  return new Map(rows.map(({ name, trust }) => [name, trust]));
}

/** Name and kind of the source that stands for `import`. */
export const BUNDLE_SOURCE = 'bundle';
