/** Incidents, as operators write them for the public. Rows are added and closed, never changed: what was said stays. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Database, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { refusals } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';

export const IMPACTS = ['minor', 'major', 'maintenance'] as const;
/** `minor`: something is slow or missing. `major`: much does not work. `maintenance`: planned work. */
export type Impact = (typeof IMPACTS)[number];

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
/** Those of an incident that goes on. */
export const OPEN_STATES = INCIDENT_STATES.filter((state) => state !== 'resolved');

export interface Incident {
  id: string;
  title: string;
  impact: Impact;
  /** Of the latest update. */
  state: IncidentState;
  /** Milliseconds of the directory's clock. */
  openedAt: number;
  closedAt: number | null;
  /** The latest first; there is always one. */
  updates: IncidentUpdate[];
}

export interface IncidentUpdate {
  id: string;
  at: number;
  state: IncidentState;
  message: string;
}

export type IncidentResult = { ok: true; id: string } | ReturnType<typeof refuse>;

interface Place {
  db: Kysely<Database>;
  /** The directory's clock. */
  now(): number;
}

export async function openIncident(
  { db, now }: Place,
  input: { title: string; impact: Impact; message: string },
): Promise<IncidentResult> {
  const title = cleanLine(input.title);
  const message = cleanText(input.message);
  if (!title || title.length > MAX_TITLE_CHARS) return refuse('title');
  if (!message || message.length > MAX_MESSAGE_CHARS) return refuse('message');
  const id = randomUUIDv7();
  const at = new Date(now());
  await transact(db, async (trx) => {
    await trx.insertInto('incident').values({ id, title, impact: input.impact, opened_at: at }).execute();
    await addUpdate(trx, id, { at, state: 'investigating', message });
  });
  return { ok: true, id };
}

/** Adds what is known now. `resolved` closes the incident. */
export async function updateIncident(
  { db, now }: Place,
  id: string,
  { state, message: text }: { state: IncidentState; message: string },
): Promise<IncidentResult> {
  const message = cleanText(text);
  if (!message || message.length > MAX_MESSAGE_CHARS) return refuse('message');
  if (!isUuid(id)) return refuse('unknown');
  return transact(db, async (trx): Promise<IncidentResult> => {
    const found = await trx.selectFrom('incident').select('closed_at').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!found) return refuse('unknown');
    if (found.closed_at) return refuse('closed');
    const { count } = await trx
      .selectFrom('incident_update')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('incident_id', '=', id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_UPDATES && state !== 'resolved') return refuse('too_many');
    const at = new Date(now());
    await addUpdate(trx, id, { at, state, message });
    if (state === 'resolved') await trx.updateTable('incident').set({ closed_at: at }).where('id', '=', id).execute();
    return { ok: true, id };
  });
}

async function addUpdate(
  trx: Kysely<Database>,
  incidentId: string,
  update: { at: Date; state: IncidentState; message: string },
): Promise<void> {
  await trx
    .insertInto('incident_update')
    .values({ id: randomUUIDv7(), incident_id: incidentId, ...update })
    .execute();
}

/** Those that go on, and those of the last 90 days; the latest first, at most 100. */
export async function listIncidents({ db, now }: Place): Promise<Incident[]> {
  const rows = await db
    .selectFrom('incident')
    .selectAll()
    .where(({ eb, or }) => or([eb('closed_at', 'is', null), eb('opened_at', '>=', new Date(now() - SHOWN_MS))]))
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  if (rows.length === 0) return [];
  const updates = await db
    .selectFrom('incident_update')
    .selectAll()
    .where(
      'incident_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const byIncident = Map.groupBy(updates, (update) => update.incident_id);
  return rows.map((row) => {
    const own = (byIncident.get(row.id) ?? []).map(({ id, at, state, message }) => ({ id, at: at.getTime(), state, message }));
    return {
      id: row.id,
      title: row.title,
      impact: row.impact,
      state: own[0]?.state ?? 'investigating',
      openedAt: row.opened_at.getTime(),
      closedAt: row.closed_at?.getTime() ?? null,
      updates: own,
    };
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const cleanText = (text: string): string => text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS, '').trim();
const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ');

const MAX_TITLE_CHARS = 120;
const MAX_MESSAGE_CHARS = 2_000;
const MAX_UPDATES = 100;
const MAX_LISTED = 100;
const refuse = refusals({
  title: `The title must have 1 to ${MAX_TITLE_CHARS} characters.`,
  message: `The message must have 1 to ${MAX_MESSAGE_CHARS} characters.`,
  unknown: 'No incident has this id.',
  closed: 'The incident is closed. Open a new one.',
  too_many: `An incident has at most ${MAX_UPDATES} updates. Close it, or open a new one.`,
});
const SHOWN_MS = 90 * DAY_MS;
