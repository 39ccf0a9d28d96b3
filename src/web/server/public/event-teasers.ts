/** Events as pages of other records show them: a picture, a time, a title and a price. */

import { pictureOf } from '../../../pictures/index.ts';
import type { EventSummary } from '../../../records/index.ts';
import type { Snapshot } from '../../../search/index.ts';
import type { EventTeaser } from '../../model/records.ts';

export const readEventAnswer = (snapshot: Snapshot, item: number): EventSummary =>
  JSON.parse(snapshot.writeEvents([item], 'list', '', '').toString()) as EventSummary;

/** `publicUrl` without a trailing slash. */
export function teaserOf(snapshot: Snapshot, item: number, publicUrl: string): EventTeaser {
  const event = readEventAnswer(snapshot, item);
  const { id, slug, title, category, startDatetime, isFree, priceMin, priceMax, venue } = event;
  const { startPrecision, status } = snapshot.lifecycle(item);
  return {
    id,
    slug,
    title,
    category,
    startDatetime,
    startPrecision,
    isFree,
    priceMin,
    priceMax,
    currency: snapshot.city.currency,
    picture: pictureOf(event, publicUrl),
    venueName: venue.name,
    isSoldOut: status === 'sold_out',
  };
}

export const bySoonest = (a: { startDatetime: string }, b: { startDatetime: string }): number =>
  Date.parse(a.startDatetime) - Date.parse(b.startDatetime);
