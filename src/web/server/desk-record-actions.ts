/** What an operator does to an event or venue: each a form, each on the audit list with what was before. */

import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import type { AuditDetail } from '../../accounts/index.ts';
import {
  type CorrectionResult,
  correct,
  findVenues,
  hide,
  IngestError,
  readCorrectionText,
  uncorrect,
  unhide,
} from '../../ingest/index.ts';
import type { Entity, RejectedAction } from '../model/desk.ts';
import { type Act, readAct } from './desk.ts';
import { FIELD_FORMS } from './desk-record-fields.ts';
import { unknownForm } from './forms.ts';
import { type Rooms, rooms } from './rooms.ts';

type Page = Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>;

export async function actOnRecord(page: Page, entity: Entity) {
  const act = await readAct(page);
  const room = page.context.get(rooms);
  const { id = '' } = page.params;
  const intent = act.text('intent');
  const action = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  if (!action) throw unknownForm();
  const outcome = await action({ act, room, entity, id });
  if (!outcome.ok) {
    const { error, field = null, isOfNote = false } = outcome;
    const refused: RejectedAction = { intent, field, error, isOfNote, typed: typedOf(act.form) };
    return data(refused, { status: outcome.code === 'unknown' ? 404 : 400 });
  }
  return redirect(`/desk/${entity}s/${outcome.id}?done=${intent}`);
}

/** What the notice says after it; null for what no form has asked for. */
export function doneOf(request: Request): string | null {
  const done = new URL(request.url).searchParams.get('done') ?? '';
  return Object.hasOwn(DONE, done) ? (DONE[done] ?? null) : null;
}

interface DeskAction {
  act: Act;
  room: Rooms;
  entity: Entity;
  id: string;
}

type Outcome = { ok: true; id: string } | { ok: false; error: string; code?: string; field?: string | null; isOfNote?: boolean };

const ACTIONS: Readonly<Record<string, (action: DeskAction) => Promise<Outcome>>> = {
  correct: async (action) => {
    const { act, entity } = action;
    const field = act.text('field');
    const value = await readTyped(action, field);
    if (typeof value === 'object' && value !== null && 'error' in value) return { ok: false, field, error: String(value.error) };
    return corrected(
      action,
      'correct',
      field,
      await correct({ ...common(action), values: { [field]: value }, note: noteOf(act) }),
      entity,
    );
  },
  revert: async (action) => {
    const field = action.act.text('field');
    return corrected(action, 'revert', field, await uncorrect({ ...common(action), fields: [field] }), action.entity);
  },
  hide: async (action) =>
    corrected(action, 'hide', null, await hide({ ...common(action), note: noteOf(action.act) }), action.entity),
  unhide: async (action) => corrected(action, 'unhide', null, await unhide(common(action)), action.entity),
  merge: (action) => {
    const { act, entity, id } = action;
    const other = act.text('other').trim();
    return byHand(action, { do: 'merge', kind: entity, left: id, right: other, by: act.viewer.email, note: null }, { other });
  },
  split: (action) => {
    const { act, entity, id } = action;
    const leaving = act.form.getAll('listing').map(String).slice(0, MAX_LISTINGS);
    return byHand(action, { do: 'split', kind: entity, id, leaving, by: act.viewer.email, note: null }, { leaving });
  },
  undo: (action) =>
    byHand(action, { do: 'undo', act: action.act.text('act'), by: action.act.viewer.email }, { act: action.act.text('act') }),
};

function common({ act, room, entity, id }: DeskAction) {
  return { store: room.store, entity, id, by: act.viewer.email, now: room.clocks.directory };
}

async function corrected(
  { act }: DeskAction,
  action: string,
  field: string | null,
  result: CorrectionResult,
  entity: Entity,
): Promise<Outcome> {
  if (!result.ok) {
    const isOfNote = result.field === 'note';
    return { ok: false, code: result.reason, field: field ?? result.field ?? null, isOfNote, error: `${result.detail}.` };
  }
  // The same form twice is one deed.
  if (result.changed.length > 0) {
    const changed = result.changed.map((change) => ({ ...change, before: change.before ?? null })) as unknown as AuditDetail;
    await act.note({
      action: `${entity}.${action}`,
      subject: entity,
      subjectId: result.id,
      detail: { changed, note: noteOf(act) },
    });
  }
  return { ok: true, id: result.id };
}

function byHand(
  { act, room, entity, id }: DeskAction,
  work: Parameters<Rooms['runs']['byHand']>[0],
  detail: Record<string, AuditDetail>,
): Promise<Outcome> {
  return act.once(async () => {
    try {
      const result = await room.runs.byHand(work);
      if (!result.ok) return { ok: false, error: `${result.detail}.` };
      await act.note({
        action: `${entity}.${work.do}`,
        subject: entity,
        subjectId: id,
        detail: { ...detail, act: result.act },
      });
      return { ok: true, id };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      const busy = 'A run is in progress. Try again in a minute.';
      return { ok: false, error: error.code === 'directory_busy' ? busy : `${error.message}.` };
    }
  });
}

/** The value of a form's field as it is checked, or why it cannot be one. */
async function readTyped({ act, room, entity }: DeskAction, field: string): Promise<unknown> {
  const form = Object.hasOwn(FIELD_FORMS[entity], field) ? FIELD_FORMS[entity][field] : undefined;
  if (!form) return { error: 'Field not found.' };
  if (form.input.kind === 'moment') {
    const [day, hour] = [act.text('day').trim(), act.text('hour').trim()];
    if (day === '' && hour === '') return null;
    return hour === '' && field === 'start' ? day : `${day}T${hour}`;
  }
  const text = act.text('value').replaceAll('\r\n', '\n');
  if (entity === 'event' && field === 'venue') return findVenue(room, text);
  return readCorrectionText(entity, field, text, room.search.current().city.timezone);
}

async function findVenue({ store }: Rooms, text: string): Promise<unknown> {
  const asked = text.trim();
  const { items, next } = await findVenues(store.db, { text: asked, limit: 5 });
  const listed = items.filter(({ state }) => state === 'published' || state === 'hidden');
  const [only] = listed;
  if (only && listed.length === 1 && next === null) return only.id;
  if (!only) return { error: 'No venue has this name. Find its id under Venues.' };
  return { error: `Several venues have this name: ${listed.map(({ slug }) => slug).join(', ')}. Enter the slug of one.` };
}

function typedOf(form: FormData): Record<string, string> {
  return Object.fromEntries(
    TYPED.flatMap((name) => (form.has(name) ? [[name, String(form.get(name)).slice(0, MAX_TYPED)]] : [])),
  );
}

const noteOf = (act: Act): string | null => act.text('note').trim() || null;

const TYPED = ['value', 'day', 'hour', 'note', 'other'];
const MAX_TYPED = 20_000;
const MAX_LISTINGS = 200;
const DONE: Readonly<Record<string, string>> = {
  correct: 'Corrected. Your value overrides all sources until you revert it.',
  revert: 'Reverted. The value comes from the sources again.',
  hide: 'Hidden. It left the lists, and its address returns 410.',
  unhide: 'Published again.',
  merge: 'Merged. The other id redirects to the older record.',
  split: 'Split. Each record has its own id again.',
  undo: 'Undone.',
};
