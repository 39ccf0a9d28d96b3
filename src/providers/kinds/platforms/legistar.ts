/** Meetings of councils: the Web API of Legistar (webapi.legistar.com/Help), version 1. */

import { utcDay } from '../../api-request.ts';
import { readClock } from '../../fields/clock-text.ts';
import { listAt, textAt, textsOf, urlAt } from '../../fields/json-fields.ts';
import { splitPlace } from '../../fields/place-text.ts';
import { dayOf } from '../../fields/two-clocks.ts';
import type { VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const legistar = jsonPlatform({
  kind: 'legistar',
  name: 'events of Legistar',
  defaults: ({ window }) => ({
    $filter: `EventDate ge datetime'${utcDay(window.from)}' and EventDate lt datetime'${utcDay(window.until)}'`,
    $orderby: 'EventDate',
    $top: String(PAGE_SIZE),
  }),
  recordsIn: (document) => (Array.isArray(document) && document.every((each) => 'EventDate' in Object(each)) ? document : null),
  nextPage(document, { url }) {
    const count = listAt(document, '').length;
    const skipped = Number(new URL(url).searchParams.get('$skip') ?? 0);
    return count < PAGE_SIZE || !Number.isSafeInteger(skipped) ? null : { $skip: String(skipped + count) };
  },
  readEvent(record) {
    const day = dayOf(textAt(record, 'EventDate'));
    const clock = readClock(CLOCK.exec(textAt(record, 'EventTime') ?? '')?.[0] ?? '');
    const comment = textAt(record, 'EventComment');
    const place = (textAt(record, 'EventLocation') ?? '').split(/[\r\n]+/).filter((line) => line.trim() !== '');
    const notices = [textAt(record, 'EventAgendaStatusName') ?? '', comment ?? '', ...place];
    return {
      externalId: textAt(record, 'EventId'),
      title: textAt(record, 'EventBodyName'),
      start: day !== null && clock !== null ? `${day}T${clock}` : day,
      description: comment,
      url: urlAt(record, 'EventInSiteURL'),
      status: STATUSES.find(([words]) => notices.some((text) => words.test(text)))?.[1] ?? null,
      organizer: textAt(record, 'EventBodyName'),
      tags: textsOf([record], 'EventBodyName'),
      venue: venueOf(place.filter((line) => !STATUSES.some(([words]) => words.test(line)))),
    };
  },
});

/** The name above its address, or both in one line. */
function venueOf(lines: readonly string[]): Partial<VenueListing> {
  return lines.length === 0 ? {} : splitPlace(lines.join('\n'));
}

/** The most that it gives. */
const PAGE_SIZE = 1_000;
const CLOCK = /\b\d{1,2}(?::\d\d)?\s*[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b/i;
/** Clerks write it wherever there is room. A comment may be about one item of the agenda: only a whole line counts. */
const STATUSES: readonly (readonly [RegExp, string])[] = [
  [/^[\W_]*(?:(?:this|the)\s)?(?:(?:regular|special)\s)?(?:meeting\s)?(?:(?:is|has been|was)\s)?cancell?ed\b/im, 'cancelled'],
  [/^[\W_]*(?:(?:this|the)\s)?(?:(?:regular|special)\s)?(?:meeting\s)?(?:(?:is|has been|was)\s)?postponed\b/im, 'postponed'],
];
