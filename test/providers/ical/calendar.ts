/** Small calendars written for a test, and what is read from them. */

import { ical } from '../../../src/providers/kinds/ical.ts';
import type { EventListing } from '../../../src/providers/listing.ts';
import type { ListingPage, SourceFacts } from '../../../src/providers/provider.ts';
import { eventsIn, facts } from '../../support/fakes/provider.ts';

/** Lines between `BEGIN` and `END`, each list being an event with an id. */
export function calendar(...parts: (string | readonly string[])[]): string {
  const lines = parts.flatMap((part) => (typeof part === 'string' ? [part] : event(...part)));
  return [...['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'], ''].join('\r\n');
}

/** A UID and a title are added where none are given. */
export function event(...lines: readonly string[]): string[] {
  const has = (name: string) => lines.some((line) => line.toUpperCase().startsWith(name));
  const added = [...(has('UID') ? [] : ['UID:quay-1']), ...(has('SUMMARY') ? [] : ['SUMMARY:Quay Songs'])];
  return ['BEGIN:VEVENT', ...added, ...lines, 'END:VEVENT'];
}

export function read(text: string | Uint8Array, said: Partial<SourceFacts> & { contentType?: string } = {}): ListingPage {
  const { contentType = 'text/calendar; charset=utf-8', ...source } = said;
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return ical.read({ url: 'https://quay.example/all.ics', body, contentType }, facts(source)) as ListingPage;
}

/** The only event of a calendar with one event. */
export function one(...lines: readonly string[]): EventListing {
  const page = read(calendar(lines));
  const [only, ...others] = eventsIn(page);
  if (!only || others.length > 0) throw new Error(`not one event: ${JSON.stringify(page.listings)}`);
  return only;
}

/** `start → end` of all events, in order of their starts. */
export function times(page: ListingPage): string[] {
  return eventsIn(page)
    .map(({ start, end }) => (end === null ? `${start}` : `${start} → ${end}`))
    .sort();
}

export function ids(page: ListingPage): (string | null)[] {
  return eventsIn(page)
    .map(({ externalId }) => externalId)
    .sort();
}

export function reasons({ listings }: ListingPage): string[] {
  return listings.flatMap((each) => (each.ok === false ? [`${each.field}: ${each.reason}`] : []));
}
