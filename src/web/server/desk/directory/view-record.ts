/** All that the page of one event or venue shows. */

import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import { findEvents, findVenues, readHistory } from '../../../../ingest/index.ts';
import { loadNextAtVenue, loadVenuePlace, type RecordTitle } from '../../../../records/index.ts';
import { DAY_MS } from '../../../../values/duration.ts';
import { isUuid } from '../../../../values/uuid.ts';
import type { Entity, MergeCandidate, RecordView } from '../../../model/desk/record.ts';
import { newFormToken } from '../../idempotency.ts';
import { drawMap } from '../../maps/draw-map.ts';
import { neighborhoodNames, readBorders } from '../../maps/neighborhoods.ts';
import { type Rooms, rooms } from '../../rooms.ts';
import { requireOperator } from '../../viewer.ts';
import { doneOf } from './act-on-record.ts';
import type { FormContext } from './field-forms.ts';
import { formatHistory } from './format-history.ts';
import { readLearnedNames } from './learned-names.ts';
import { readRecord, readRecordRow } from './read-record.ts';

/** Throws 404 for an unknown id, and a redirect for one that leads to another. */
export async function viewRecord(page: Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>, entity: Entity) {
  await requireOperator(page);
  const room = page.context.get(rooms);
  const { store, clocks } = room;
  const { searchParams } = new URL(page.request.url);
  const row = await readRecordRow(store, entity, page.params.id ?? '');
  if (!row) throw data(null, { status: 404 });
  if (row.mergedInto !== null) {
    const done = searchParams.get('done');
    throw redirect(`/desk/${entity}s/${row.mergedInto}?${new URLSearchParams({ from: row.id, ...(done && { done }) })}`);
  }
  const now = clocks.directory();
  const { fields, listings, hidden, context } = await readRecord(store, entity, row.id, now);
  const borders = await readBorders(store);
  const found = await readPlace(room, entity, row);
  const place = found && { ...found, neighborhood: neighborhoodNames(borders)(found.neighborhood) };
  const wanted = (searchParams.get('merge') ?? '').slice(0, MAX_WORDS_CHARS);
  const view: RecordView = {
    entity,
    id: row.id,
    slug: row.slug,
    title: row.title,
    state: row.state,
    fields,
    listings,
    hidden,
    isVenueHidden: entity === 'event' && place?.state === 'hidden',
    history: formatHistory(entity, await readHistory({ store, entity, id: row.id }), context),
    map: place && drawMap(borders, [{ letter: entity === 'event' ? 'The venue' : 'It', ...place }]),
    merge: {
      query: wanted,
      candidates: wanted === '' ? [] : await findCandidates(room, entity, row, { wanted, context, now }),
    },
    token: newFormToken(),
    done: doneOf(page.request),
    cameFrom: uuidOf(searchParams.get('from')),
  };
  const hours = entity === 'venue' ? await readUpcoming(room, row.id, context, now) : [];
  const learned = entity === 'venue' ? await readLearnedNames(store, listings) : [];
  return { view, place, upcoming: hours, learned };
}

async function readPlace({ store }: Rooms, entity: Entity, row: RecordTitle) {
  const id = entity === 'event' ? row.venueId : row.id;
  if (id === null) return null;
  return await loadVenuePlace(store.db, id);
}

interface Looking {
  wanted: string;
  context: FormContext;
  now: number;
}

async function findCandidates(
  { store }: Rooms,
  entity: Entity,
  row: RecordTitle,
  { wanted, context, now }: Looking,
): Promise<MergeCandidate[]> {
  const options = { text: wanted, limit: MAX_CANDIDATES };
  if (entity === 'venue') {
    const { items } = await findVenues(store.db, options);
    const others = items.filter(({ id, state }) => id !== row.id && state !== 'merged' && state !== 'removed');
    return others.map(({ id, name, address, neighborhood }) => ({
      id,
      title: name,
      detail: [address, neighborhood].filter(Boolean).join(', '),
    }));
  }
  const { items } = await findEvents(store.db, { ...options, from: now - DAY_MS });
  const others = items.filter(({ id, state }) => id !== row.id && state !== 'merged' && state !== 'removed');
  return others.map(({ id, title, startsAt, precision, venueName, sources }) => ({
    ...{ id, title, detail: `${context.moments.start(startsAt, precision).text}, ${venueName} (${sources.join(', ')})` },
  }));
}

async function readUpcoming({ store }: Rooms, venueId: string, { moments }: FormContext, now: number) {
  const rows = await loadNextAtVenue(store.db, venueId, now, MAX_UPCOMING);
  return rows.map(({ startsAt, precision, ...event }) => ({ ...event, at: moments.start(startsAt, precision) }));
}

const uuidOf = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

const MAX_CANDIDATES = 8;
const MAX_UPCOMING = 10;
const MAX_WORDS_CHARS = 200;
