/** Events as pages of other records show them: a picture, a time, a title and a price. */

import type { Category } from '../../../catalog/index.ts';
import { pictureOf } from '../../../pictures/index.ts';
import type { Snapshot } from '../../../search/index.ts';
import type { EventTeaser } from '../../model/records.ts';

/** As `GET /events` answers. */
export interface EventAnswer {
  id: string;
  slug: string;
  title: string;
  category: Category;
  startDatetime: string;
  endDatetime: string | null;
  description: string | null;
  imageUrl: string | null;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  url: string;
  venue: { id: string; name: string; slug: string; neighborhood: string | null; latitude: number; longitude: number };
}

export const readEventAnswer = (snapshot: Snapshot, item: number): EventAnswer =>
  JSON.parse(snapshot.writeEvents([item], 'list', '', '').toString()) as EventAnswer;

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
