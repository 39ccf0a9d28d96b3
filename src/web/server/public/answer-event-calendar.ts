/** One event as a calendar, for everybody: what "Add to calendar" downloads and what a calendar program may subscribe to. */

import { data } from 'react-router';
import { describeEventCalendar, EVENT_FORMS, readEventRecord, writeForm } from '../../../feeds/index.ts';
import { respondWithBytes } from '../../../http/index.ts';
import type { Rooms } from '../rooms.ts';
import { findPublicEvent } from './find-public-record.ts';

/** Throws 404, 410 and redirects as the page of the event. */
export async function answerEventCalendar(
  rooms: Pick<Rooms, 'store' | 'search'>,
  slug: string,
  request: Request,
): Promise<Response> {
  const found = await findPublicEvent(rooms, slug, eventCalendarPath);
  if ('removedId' in found) throw data(null, { status: 410 });
  const { snapshot, item } = found;
  const record = readEventRecord(snapshot, item);
  const body = new Uint8Array(writeForm(EVENT_FORMS.ics, describeEventCalendar(record, snapshot.city), [record]));
  const disposition = `attachment; filename="${slug}.ics"`;
  const further = { 'Content-Type': EVENT_FORMS.ics.contentType, 'Content-Disposition': disposition };
  return respondWithBytes(request, body, { 'Cache-Control': CACHE }, further);
}

const eventCalendarPath = (slug: string): string => `/events/${slug}/event.ics`;

/** A quarter of an hour: a calendar program asks no more often. */
const CACHE = 'public, max-age=900';
