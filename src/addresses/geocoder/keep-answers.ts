/** Keeps the answers of a geocoder in the data store, and when any process may ask it next. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { type PlacedText, PRECISIONS } from '../model.ts';

/** The answer to a question: null if the service knows no such place. */
export interface KeptAnswer {
  placed: PlacedText | null;
  /** Milliseconds. An answer counts until a newer one takes its place. */
  expiresAt: number;
}

export async function loadAnswers(db: Kysely<Database>, service: string): Promise<Map<string, KeptAnswer>> {
  const rows = await db.selectFrom('geocoder_answer').selectAll().where('service', '=', service).execute();
  return new Map(
    rows.map(({ question, latitude, longitude, precision: text, expires_at }) => {
      const precision = PRECISIONS.find((each) => each === text);
      const placed: PlacedText | null =
        latitude === null || longitude === null || !precision ? null : { latitude, longitude, precision, via: 'geocoder' };
      return [question, { placed, expiresAt: expires_at.getTime() }];
    }),
  );
}

export async function keepAnswer(db: Kysely<Database>, service: string, question: string, answer: KeptAnswer): Promise<void> {
  const { latitude = null, longitude = null, precision = null } = answer.placed ?? {};
  const values = { latitude, longitude, precision, expires_at: new Date(answer.expiresAt) };
  await db
    .insertInto('geocoder_answer')
    .values({ service, question, ...values })
    .onConflict((conflict) => conflict.columns(['service', 'question']).doUpdateSet(values))
    .execute();
}

/** Whether an answer with a point is kept: then its credit is due. */
export async function hasAnswers(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('geocoder_answer')
    .select('service')
    .where('latitude', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The moment of the next turn, which is then taken; null if the service is to be left alone, or if too many wait for it. */
export async function takeTurn(db: Kysely<Database>, service: string, now: number): Promise<number | null> {
  const next = (from: number) => new Date(from + TURN_MS);
  const { rows } = await sql<{ next_at: Date }>`
    insert into geocoder_turn as turn (service, next_at, blocked_until, failures)
    values (${service}, ${next(now).toISOString()}, ${new Date(0).toISOString()}, 0)
    on conflict (service) do update
      set next_at = greatest(turn.next_at, ${new Date(now).toISOString()}::timestamptz) + ${`${TURN_MS} milliseconds`}::interval
      where turn.blocked_until <= ${new Date(now).toISOString()}::timestamptz
        and turn.next_at < ${new Date(now + MAX_QUEUE_MS).toISOString()}::timestamptz
    returning next_at`.execute(db);
  const [turn] = rows;
  return turn ? turn.next_at.getTime() - TURN_MS : null;
}

/** After an answer, whatever it was: a slow one leaves the service a second of rest, too. */
export async function noteSuccess(db: Kysely<Database>, service: string, now: number): Promise<void> {
  await sql`
    update geocoder_turn set failures = 0, next_at = greatest(next_at, ${new Date(now + REST_MS).toISOString()}::timestamptz)
    where service = ${service}`.execute(db);
}

/** @param waitMs as long as the service asks for; null: twice as long after each failure. Gives until when nobody asks. */
export async function noteFailure(db: Kysely<Database>, service: string, now: number, waitMs: number | null): Promise<number> {
  const row = await db
    .updateTable('geocoder_turn')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('service', '=', service)
    .returning('failures')
    .executeTakeFirst();
  const backOffMs = Math.min(FIRST_BACK_OFF_MS * 2 ** Math.min((row?.failures ?? 1) - 1, MAX_DOUBLINGS), MAX_BACK_OFF_MS);
  const until = now + Math.max(waitMs ?? backOffMs, TURN_MS);
  await db
    .updateTable('geocoder_turn')
    .set({ blocked_until: new Date(until) })
    .where('service', '=', service)
    .execute();
  return until;
}

/** A request a second, with room for clocks and networks that are not exact. */
const TURN_MS = 1_100;
const REST_MS = 1_000;
/** A run does not wait longer for other runs. */
const MAX_QUEUE_MS = 20_000;
const FIRST_BACK_OFF_MS = 60_000;
const MAX_BACK_OFF_MS = 6 * 3_600_000;
const MAX_DOUBLINGS = 10;
