/** An event as it is compared. */

import { DAY_MS } from '../../values/duration.ts';
import { type CorrectedStart, correctedStart, NO_CLOCKS, type ProviderClocks } from './clocks.ts';
import type { EventFacts } from './compared-facts.ts';
import { type EventBill, readBill } from './event-bill.ts';
import { type EventTitle, readTitle } from './event-title.ts';

/** Read once, compared often. */
export interface ComparedEvent {
  fact: EventFacts;
  night: string;
  start: CorrectedStart;
  title: EventTitle;
  /** Read when it is first asked for: most listings never are. */
  bill(): EventBill;
  /**
   * The most events that one provider lists in its house around one hour of this night. One: then one house at one minute is evidence.
   */
  crowd: number;
}

export function readEvent(fact: EventFacts, clocks: ProviderClocks, crowd = 1): ComparedEvent {
  let bill: EventBill | undefined;
  return {
    fact,
    start: correctedStart(fact, clocks),
    night: nightOf(fact, clocks),
    title: ticketed(readTitle(fact.title, fact.localStart.slice(0, 10)), fact),
    bill() {
      bill ??= readBill(fact);
      return bill;
    },
    crowd,
  };
}

/** The listing as its provider knows it: the same in every directory. */
export const listingKey = ({ provider, externalId }: EventFacts): string => `${provider}\n${externalId}`;

/** What normalizing has cut off the title. */
const ticketed = (title: EventTitle, { ticket }: EventFacts): EventTitle =>
  ticket === 'pass' ? { ...title, spansDays: true } : title;

/**
 * The night an event belongs to. The local day of the start as it is to be read, `YYYY-MM-DD`, where a day ends at five in the morning: a
 * party at 00:30 belongs to the evening before. Where no hour is known it is the day as printed. Two listings of different nights are
 * never the same.
 */
export function nightOf(fact: EventFacts, clocks: ProviderClocks = NO_CLOCKS): string {
  const { localStart, precision } = correctedStart(fact, clocks);
  const day = localStart.slice(0, 10);
  if (precision !== 'time' || Number(localStart.slice(11, 13)) >= HOUR_OF_NEW_DAY) return day;
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

const HOUR_OF_NEW_DAY = 5;
