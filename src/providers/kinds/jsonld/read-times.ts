/** When an event takes place: by its `eventSchedule`, else by `startDate`, `endDate` and `duration`. */

import { readIso } from '../../fields/dates.ts';
import { formatIso } from '../../fields/iso.ts';
import { afterDuration, readIsoSpan } from '../../fields/iso-span.ts';
import { readWholeDays } from '../../fields/whole-days.ts';
import type { SourceFacts } from '../../provider.ts';
import { type Graph, get, isNode, listOf, type Node, textOf, textsOf } from './node.ts';
import { type ListedTimes, readSchedule, type ScheduleTimes } from './read-schedule.ts';

/**
 * A schedule tells the times: an event with one "should not have startDate or endDate" (schema.org/eventSchedule). If it has, they
 * complete the schedule, and count alone where no schedule can be read.
 */
export function readTimes(node: Node, graph: Graph, source: SourceFacts): ScheduleTimes {
  const schedules = listOf(get(node, 'eventSchedule')).map((each) => graph.resolve(each));
  if (schedules.length === 0) return readOnce(node);
  const read = schedules.slice(0, MAX_SCHEDULES).map((schedule): ScheduleTimes => {
    if (isNode(schedule)) return readSchedule(schedule, node, graph, source);
    const reason = `wanted a Schedule, got ${JSON.stringify(String(schedule).slice(0, MAX_PRINTED))}`;
    return { times: [], isSeries: false, flaws: [{ field: 'eventSchedule', reason }] };
  });
  const flaws = read.flatMap((each) => each.flaws);
  const byStart = new Map(read.flatMap(({ times }) => times).map((times) => [times.start, times]));
  const times = [...byStart.values()].sort((a, b) => ((a.start ?? '') < (b.start ?? '') ? -1 : 1));
  if (flaws.length < read.length || get(node, 'startDate') === undefined)
    return { times, isSeries: read.length > 1 || read.some(({ isSeries }) => isSeries), flaws };
  const once = readOnce(node);
  return { ...once, flaws: [...flaws, ...once.flaws] };
}

/** A start that cannot be read is refused and never guessed; an end that cannot be read is unknown. */
function readOnce(node: Node): ScheduleTimes {
  const said = [...new Set(textsOf(get(node, 'startDate')).map(padded))];
  const [text] = said;
  if (text === undefined) return refused('the event has no startDate');
  // Pages tell one moment in several forms, of which some are for people.
  const spans = new Map(said.flatMap((each) => readIsoSpan(each) ?? []).map((each) => [formatIso(each.start), each]));
  const [span] = spans.values();
  if (span === undefined) return refused(`wanted an ISO 8601 date, got ${JSON.stringify(text.slice(0, MAX_PRINTED))}`);
  if (spans.size > 1) return refused(`wanted one startDate, got ${spans.size}`);
  const start = formatIso(span.start);
  const end =
    readIso(padded(textOf(get(node, 'endDate')) ?? '')) ?? span.end ?? afterDuration(start, textOf(get(node, 'duration')) ?? '');
  const times: ListedTimes = { ...readWholeDays(start, end), zone: span.start.zone };
  return { times: [times], isSeries: false, flaws: [] };
}

/** `2027-3-8T9:00-5:00`, as some programs write it: the numbers without their zeros. */
function padded(text: string): string {
  const match = LONG_NUMBERS.test(text) ? null : SHORT_NUMBERS.exec(text.trim());
  if (!match) return text;
  const [, date = '', clock = '', sign = '', offset = ''] = match;
  const two = (part: string): string => part.replace(/(?<!\d)\d(?!\d)/g, '0$&');
  return two(date) + (clock === '' ? '' : `T${two(clock)}${sign}${two(offset)}`);
}

const refused = (reason: string): ScheduleTimes => ({ times: [], isSeries: false, flaws: [{ field: 'start', reason }] });

const LONG_NUMBERS = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const SHORT_NUMBERS = /^(\d{4}-\d{1,2}-\d{1,2})(?:T(\d{1,2}:\d\d(?::\d\d)?)(?:(Z|[+-](?=\d))(\d{1,2}:\d\d)?)?)?$/;
const MAX_PRINTED = 64;
const MAX_SCHEDULES = 50;
