/** What every page of the desk needs: forms that are done once and written down, and moments on the city’s clocks. */

import type { LoaderFunctionArgs } from 'react-router';
import { type AuditEntry, recordAudit, type SignedIn } from '../../accounts/index.ts';
import type { StartPrecision } from '../../records/index.ts';
import type { FormattedMoment } from '../model/desk.ts';
import { dateFormat, type Formatter, formatAge } from '../model/format.ts';
import { fieldsOf, readFormData } from './forms.ts';
import { type Rooms, requestFacts, rooms } from './rooms.ts';
import { requireOperator } from './viewer.ts';

export interface Act {
  viewer: SignedIn;
  form: FormData;
  text(name: string): string;
  /** Runs `work` for the first of all copies of this form. */
  once<Outcome>(work: () => Promise<Outcome>): Promise<Outcome>;
  /** Notes what was done, by this operator and from where. */
  note(entry: Pick<AuditEntry, 'action' | 'subject' | 'subjectId' | 'detail'>): Promise<void>;
}

/** The form that an operator sent; throws what an unknown address gives to anybody else. */
export async function readAct(page: Pick<LoaderFunctionArgs, 'request' | 'context'>): Promise<Act> {
  const viewer = await requireOperator(page);
  const { store, clocks, once } = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const form = await readFormData(page.request);
  const text = fieldsOf(form);
  return {
    viewer,
    form,
    text,
    once: (work) => once(viewer.accountId, text('token') || null, work),
    note: (entry) =>
      recordAudit(
        store.db,
        { ...entry, actor: { id: viewer.accountId, name: viewer.email }, address },
        { now: clocks.directory },
      ),
  };
}

export interface MomentFormat {
  format(instant: number): FormattedMoment;
  /** When an event starts; `Tue, Jun 16, 2026` where the hour is not known. */
  start(startsAt: number, precision: StartPrecision): FormattedMoment;
  /** When an event ends, which is on its last day where hours are not known. */
  end(endsAt: number, precision: StartPrecision): FormattedMoment;
  /** Null for what has not happened. */
  maybe(instant: number | null): FormattedMoment | null;
  /** `8:00 PM`. */
  clock(instant: number): string;
  /** `Tue, Jun 16`. */
  day(instant: number): string;
}

/** As of now, by the directory's clock. */
export const momentsOf = ({ search, clocks }: Pick<Rooms, 'search' | 'clocks'>): MomentFormat =>
  createMoments(search.current().city.timezone, clocks.directory());

/** `zone`: the city's; `now`: milliseconds, the directory's clock. */
export function createMoments(zone: string, now: number): MomentFormat {
  const { whole, wholeDay, clock, day } = formatsOf(zone);
  const describe = (instant: number, format: Formatter): FormattedMoment => ({
    iso: new Date(instant).toISOString(),
    text: format.format(instant),
    away: away(instant - now),
  });
  return {
    format: (instant) => describe(instant, whole),
    start: (startsAt, precision) => describe(startsAt, precision === 'time' ? whole : wholeDay),
    end: (endsAt, precision) => (precision === 'time' ? describe(endsAt, whole) : describe(endsAt - 1, wholeDay)),
    maybe: (instant) => (instant === null ? null : describe(instant, whole)),
    clock: (instant) => clock.format(instant),
    day: (instant) => day.format(instant),
  };
}

/** Making them takes longer than a page full of moments. A city has one zone. */
function formatsOf(timeZone: string): Formats {
  if (formats?.zone !== timeZone) {
    formats = {
      zone: timeZone,
      whole: dateFormat({ ...DAY, year: 'numeric', ...CLOCK, timeZone }),
      wholeDay: dateFormat({ ...DAY, year: 'numeric', timeZone }),
      clock: dateFormat({ ...CLOCK, timeZone }),
      day: dateFormat({ ...DAY, timeZone }),
    };
  }
  return formats;
}

interface Formats extends Record<'whole' | 'wholeDay' | 'clock' | 'day', Formatter> {
  zone: string;
}
let formats: Formats | null = null;

function away(difference: number): string {
  if (Math.abs(difference) < NOW_MS) return 'now';
  return difference < 0 ? `${formatAge(-difference)} ago` : `in ${formatAge(difference)}`;
}

const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const NOW_MS = 1_000;
