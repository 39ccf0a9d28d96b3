/** What the pages that find events and venues show. */

import type { LoaderFunctionArgs } from 'react-router';
import { findEvents, findVenues, listSources } from '../../ingest/index.ts';
import { RECORD_STATES, type RecordState } from '../../records/index.ts';
import { loadFormContext } from './desk-record.ts';
import { neighborhoodNames, readBorders } from './map-areas.ts';
import { rooms } from './rooms.ts';
import { requireOperator } from './viewer.ts';

type Page = Pick<LoaderFunctionArgs, 'request' | 'context'>;

export async function findEventsFor({ request, context }: Page) {
  await requireOperator({ request, context });
  const { store, clocks } = context.get(rooms);
  const asked = readAsked(request);
  const now = clocks.directory();
  const formats = await loadFormContext(store, now);
  // What is coming, unless something else was asked for.
  const isUnasked = asked.from === null && asked.q === '' && asked.state === null && asked.source === '' && asked.after === null;
  const from = isUnasked ? formats.cityTime.day(now) : DAY.test(asked.from ?? '') ? (asked.from ?? '') : '';
  const { items, next } = await findEvents(store.db, {
    text: asked.q,
    state: asked.state,
    source: asked.source || null,
    after: asked.after,
    from: from === '' ? null : firstMoment(from, formats.cityTime),
  });
  const rows = items.map(({ id, title, startsAt, precision, venueId, venueName, sources, state, status, corrections }) => ({
    id,
    title,
    venueId,
    venueName,
    sources: sources.join(', '),
    state,
    status,
    corrections,
    start: formats.moments.start(startsAt, precision),
  }));
  return { rows, asked: { ...asked, from }, next, states: RECORD_STATES, sources: await namesOf(store) };
}

export async function findVenuesFor({ request, context }: Page) {
  await requireOperator({ request, context });
  const { store } = context.get(rooms);
  const asked = readAsked(request);
  const { items, next } = await findVenues(store.db, {
    text: asked.q,
    state: asked.state,
    source: asked.source || null,
    after: asked.after,
  });
  const nameOf = neighborhoodNames(await readBorders(store));
  const rows = items.map((venue) => ({ ...venue, neighborhood: nameOf(venue.neighborhood) }));
  const states = RECORD_STATES.filter((state) => state !== 'unlisted');
  return { rows, asked, next, states, sources: ['bundle', ...(await namesOf(store))] };
}

function readAsked(request: Request) {
  const { searchParams } = new URL(request.url);
  const text = (name: string) => (searchParams.get(name) ?? '').replaceAll('\0', '').slice(0, MAX_CHARS).trim();
  const state = RECORD_STATES.find((each) => each === text('state')) ?? null;
  return {
    q: text('q'),
    state: state as RecordState | null,
    source: text('source'),
    from: searchParams.get('from'),
    after: searchParams.get('after'),
  };
}

/** A day that the calendar does not have is taken for none. */
function firstMoment(day: string, cityTime: { dayBounds(day: string): { first: number } }): number | null {
  try {
    return cityTime.dayBounds(day).first;
  } catch {
    return null;
  }
}

async function namesOf(store: Parameters<typeof listSources>[0]['store']): Promise<string[]> {
  return (await listSources({ store })).map(({ name }) => name);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_CHARS = 200;
