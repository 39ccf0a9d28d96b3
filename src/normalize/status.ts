/** Whether an event takes place: the provider's word and what its title says. */

import { EVENT_STATUSES, type EventStatus } from '../catalog/index.ts';
import { oneLine } from './text.ts';
import type { TitleDay } from './titles/day-in-mark.ts';
import { fieldStatus, gravest } from './titles/status-grammar.ts';
import { type TitleStatus, takeStatus } from './titles/title-status.ts';
import { wordKey } from './titles/title-words.ts';

/**
 * The graver of the two counts. A title that says `RESCHEDULED TO 6/27` on a listing of another day is about a date that no longer
 * holds: that one is postponed. On the listing of that day the event is rescheduled, whatever the word.
 */
export function normalizeStatus(
  said: string | null,
  title: Omit<TitleStatus, 'title'>,
  { localStart, locale }: { localStart: string; locale: string },
): EventStatus {
  const marked = takenStatus(said, locale);
  return gravest(movedStatus(marked, localStart), movedStatus(title, localStart)) ?? 'scheduled';
}

function movedStatus({ status, movedTo, movedFrom }: Omit<TitleStatus, 'title'>, localStart: string): EventStatus | null {
  if (status !== 'rescheduled' && status !== 'postponed') return status;
  if (movedTo) return isDay(movedTo, localStart) ? 'rescheduled' : 'postponed';
  if (movedFrom) return isDay(movedFrom, localStart) ? 'postponed' : 'rescheduled';
  return status;
}

/**
 * `EventPostponed`, `https://schema.org/EventCancelled`, `sold_out`, `fällt leider aus`. Words that say nothing of it, such as `offsale`,
 * give null.
 */
function takenStatus(said: string | null, locale: string): Omit<TitleStatus, 'title'> {
  const none = { status: null, movedTo: null, movedFrom: null };
  if (said === null) return none;
  const own = EVENT_STATUSES.find((status) => status === said);
  if (own) return { ...none, status: own };
  const words = oneLine(said.slice(0, MAX_CHARS))
    .replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
    .replace(/^Event(?=[A-Z_])/, '');
  const joined = wordKey(words).replace(/[^\p{L}\p{N}]+/gu, '');
  const status = fieldStatus(joined) ?? fieldStatus(joined.replace(/^event/, ''));
  return status ? { ...none, status } : takeStatus(words.replaceAll('_', ' '), locale);
}

/** Whether the provider says that the event has moved to the net. */
export function hasMovedOnline(said: string | null): boolean {
  return said !== null && /movedonline|online_?event|offline_?to_?online/i.test(said);
}

const isDay = ({ month, day }: TitleDay, localStart: string): boolean => localStart.slice(5, 10) === `${two(month)}-${two(day)}`;
const two = (number: number): string => String(number).padStart(2, '0');

/** A longer text is no status. */
const MAX_CHARS = 300;
