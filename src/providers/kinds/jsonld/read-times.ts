/** When an event takes place, by `startDate`, `endDate` and `duration`. */

import { readIso } from '../../fields/dates.ts';
import { formatIso, readIsoMoment } from '../../fields/iso.ts';
import { isDay, readWholeDays } from '../../fields/whole-days.ts';
import type { EventListing } from '../../listing.ts';
import { get, type Node, textOf, textsOf } from './node.ts';

export type ReadTimes =
  | ({ ok: true } & Pick<EventListing, 'start' | 'end' | 'zone' | 'isAllDay'>)
  | { ok: false; field: string; reason: string };

/** A start that cannot be read is refused and never guessed; an end that cannot be read is unknown. */
export function readTimes(node: Node): ReadTimes {
  const said = [...new Set(textsOf(get(node, 'startDate')))];
  const [text] = said;
  if (text === undefined) return { ok: false, field: 'start', reason: 'the event has no startDate' };
  if (said.length > 1) return { ok: false, field: 'start', reason: `wanted one startDate, got ${said.length}` };
  const moment = readIsoMoment(text);
  if (moment === null) {
    return { ok: false, field: 'start', reason: `wanted an ISO 8601 date, got ${JSON.stringify(text.slice(0, MAX_PRINTED))}` };
  }
  const start = formatIso(moment);
  const end = readIso(textOf(get(node, 'endDate')) ?? '') ?? after(start, textOf(get(node, 'duration')));
  return { ok: true, ...readWholeDays(start, end), zone: moment.zone };
}

/** The end of an event that says how long it lasts (ISO 8601 §5.5.2.3), on the same clock as its start. */
function after(start: string, duration: string | null): string | null {
  if (duration === null || isDay(start)) return null;
  const [, local = '', offset = ''] = /^(.*?)(Z|[+-]\d\d:\d\d)?$/i.exec(start) ?? [];
  try {
    const end = Temporal.PlainDateTime.from(local).add(Temporal.Duration.from(duration));
    return end.toString({ smallestUnit: 'second' }) + offset;
  } catch {
    return null;
  }
}

const MAX_PRINTED = 64;
