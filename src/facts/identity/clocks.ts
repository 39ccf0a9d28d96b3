/** Providers whose clocks say something else than the hour of the event, and how their starts are read instead. */

import type { EventFacts } from './compared-facts.ts';

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
