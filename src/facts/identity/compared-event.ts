/** An event as it is compared. */

import { DAY_MS } from '../../values/duration.ts';
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

export interface ProviderClocks {
  findings: readonly ClockFinding[];
}

export interface ClockFinding {
  provider: string;
  /** `placeholder`: prints one hour where it knows none. `shifted`: runs a whole number of hours off. */
  kind: 'placeholder' | 'shifted';
  /** The hour that is printed for none, `HH:MM`; null for `shifted`. */
  clock: string | null;
  /** To be added to a printed start; 0 for `placeholder`. */
  hours: number;
  /** Events that other providers list, too: those that show the fault, and those that do not. */
  support: number;
  against: number;
  /** For the report: what was found, on how much, and what is done about it. */
  sentence: string;
}

export interface CorrectedStart {
  /** Milliseconds since 1970 UTC; the local midnight when the hour is not known. */
  startsAt: number;
  /** `YYYY-MM-DDThh:mm`, to be resolved in the city's zone where it must be exact on a day on which clocks change. */
  localStart: string;
  precision: EventFacts['precision'];
  /** Why it was read in another way; null when it was not. */
  finding: ClockFinding | null;
}

export const NO_CLOCKS: ProviderClocks = { findings: [] };

/** The start as it is to be read: a placeholder hour is no hour, a shifted clock is set right. The end of a shifted one moves as far. */
export function correctedStart(fact: EventFacts, { findings }: ProviderClocks): CorrectedStart {
  const printed = { startsAt: fact.startsAt, localStart: fact.localStart, precision: fact.precision, finding: null };
  if (fact.precision !== 'time') return printed;
  const finding = findings.find(
    (each) => each.provider === fact.provider && (each.clock === null || each.clock === clockOf(fact)),
  );
  if (!finding) return printed;
  if (finding.kind === 'shifted') {
    const local = new Date(Date.parse(`${fact.localStart.slice(0, 16)}:00Z`) + finding.hours * MS_PER_HOUR);
    return {
      startsAt: fact.startsAt + finding.hours * MS_PER_HOUR,
      localStart: local.toISOString().slice(0, 16),
      precision: 'time',
      finding,
    };
  }
  const day = fact.localStart.slice(0, 10);
  return { startsAt: fact.startsAt - minuteOf(fact) * MS_PER_MINUTE, localStart: `${day}T00:00`, precision: 'date', finding };
}

/** `HH:MM` of the local clock. */
export const clockOf = ({ localStart }: Pick<EventFacts, 'localStart'>): string => localStart.slice(11, 16);

/** Minutes since local midnight, as printed. */
function minuteOf({ localStart }: Pick<EventFacts, 'localStart'>): number {
  return Number(localStart.slice(11, 13)) * 60 + Number(localStart.slice(14, 16));
}

export const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
