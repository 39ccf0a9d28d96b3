/** Whether an event takes place: the provider's word and what its title says. */

import { EVENT_STATUSES, type EventStatus } from '../catalog/index.ts';
import { folded } from './text.ts';
import { gravest, type TitleStatus } from './titles/title-status.ts';

/**
 * The graver of the two counts. A title that says `RESCHEDULED TO 6/27` on a listing of another day is about a date that no longer
 * holds: that one is postponed.
 */
export function normalizeStatus(
  said: string | null,
  title: { status: EventStatus | null; movedTo: TitleStatus['movedTo'] },
  localStart: string,
): EventStatus {
  const { movedTo } = title;
  const isOldDate =
    movedTo !== null && title.status === 'rescheduled' && localStart.slice(5, 10) !== `${two(movedTo.month)}-${two(movedTo.day)}`;
  return gravest(providerStatus(said), isOldDate ? 'postponed' : title.status) ?? 'scheduled';
}

/** `EventPostponed`, `https://schema.org/EventCancelled`, `offsale`; null for words that say nothing of it. */
function providerStatus(said: string | null): EventStatus | null {
  if (said === null) return null;
  const own = EVENT_STATUSES.find((status) => status === said);
  const word = folded(said.replace(/^https?:\/\/schema\.org\/|^schema:/i, '').replace(/^Event(?=[A-Z])/, '')).replaceAll(' ', '');
  return own ?? STATUS_WORDS.get(word) ?? null;
}

/** Whether the provider says that the event has moved to the net. */
export function hasMovedOnline(said: string | null): boolean {
  return said !== null && /movedonline|online_?event|offline_?to_?online/i.test(said);
}

const two = (number: number): string => String(number).padStart(2, '0');

/** In the languages of `titles/title-status.ts`, folded and without blanks. */
const WORDS: readonly (readonly [EventStatus, string])[] = [
  [
    'cancelled',
    'cancelled canceled cancel annule annulee evenementannule abgesagt cancelado cancelada annullato geannuleerd afgelast',
  ],
  ['cancelled', 'peruttu installt unavailable'],
  ['postponed', 'postponed reporte reportee verschoben aplazado aplazada rinviato uitgesteld siirretty uppskjutet adiado'],
  ['postponed', 'temporarilyunavailable suspended'],
  ['rescheduled', 'rescheduled moved'],
  ['sold_out', 'soldout full complet epuise aguichetsfermes ausverkauft agotado agotada esaurito uitverkocht loppuunmyyty'],
  ['sold_out', 'slutsalt utsalt esgotado'],
];
const STATUS_WORDS: ReadonlyMap<string, EventStatus> = new Map(
  WORDS.flatMap(([status, words]) => words.split(' ').map((word) => [word, status] as const)),
);
