/** What the share image of an event says, and its address. */

import { hash } from 'node:crypto';
import { runKey, type StartPrecision } from '../records/index.ts';
import type { ShareFacts } from './drawing/jobs.ts';
import { type PicturedEvent, sourcePictureOf } from './picture-of.ts';

export interface SharedEvent extends PicturedEvent {
  /** City time with offset. */
  startDatetime: string;
  startPrecision: StartPrecision;
  venue: PicturedEvent['venue'] & { name: string };
}

interface SharedCity {
  name: string;
  /** BCP 47: a share image has the language of its city, as nobody knows who will see it. */
  locale: string;
}

export interface ShareImage {
  src: string;
  width: number;
  height: number;
}

export function shareImageOf(event: SharedEvent, city: SharedCity, publicUrl: string): ShareImage {
  const version = shareVersion(shareFactsOf(event, city), sourcePictureOf(event.imageUrl, publicUrl));
  return { src: `/images/${event.id}/${version}/share.png`, width: 1200, height: 630 };
}

export function shareFactsOf(event: SharedEvent, { name, locale }: SharedCity): ShareFacts {
  const { title, category, venue, startDatetime, startPrecision } = event;
  const wall = new Date(`${startDatetime.slice(0, LOCAL_CHARS)}Z`);
  const when = formatOf(locale, startPrecision).format(wall).replaceAll('\u202f', ' ');
  return { title, when, venue: venue.name, city: name, poster: { category, venueId: venue.id, run: runKey(title) } };
}

/** Kept: to make one takes longer than all else of a share image's address. */
function formatOf(locale: string, precision: StartPrecision): Intl.DateTimeFormat {
  const key = `${locale} ${precision}`;
  const known = formats.get(key);
  if (known) return known;
  const hour = precision === 'time' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {};
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', month: 'long', day: 'numeric', ...hour, timeZone: 'UTC' });
  formats.set(key, format);
  return format;
}

/** By locale and precision: as many as a city has. */
const formats = new Map<string, Intl.DateTimeFormat>();

export const shareVersion = (facts: ShareFacts, source: string | null): string =>
  hash('sha256', JSON.stringify([facts, source]), 'hex').slice(0, VERSION_CHARS);

/** `YYYY-MM-DDThh:mm:ss` */
const LOCAL_CHARS = 19;
const VERSION_CHARS = 10;
