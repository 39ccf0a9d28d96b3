/** Outlets of a record of which only the area is known: the point that stands for the area is given nowhere as that of a house. */

import { describe, expect, it } from 'vitest';
import { EVENT_FORMS, VENUE_FORMS, writeForm } from '../../../src/feeds/index.ts';
import { eventMarkup, venueMarkup } from '../../../src/web/server/markup.ts';
import { eventRecord, LIST, venueRecord } from './made-records.ts';

const event = { ...eventRecord(), isInArea: true };
const venue = { ...venueRecord(), isInArea: true };
const POINTS = [event.event.venue, venue.venue].flatMap(({ latitude, longitude }) => [String(latitude), String(longitude)]);
const hasPoint = (text: string): boolean => POINTS.some((degrees) => text.includes(degrees));
/** These repeat the record of the API, whose `location` is required. */
const REPEAT_THE_RECORD = ['geojson', 'ndjson'];

describe('a record in an area', () => {
  it.each(Object.entries(EVENT_FORMS))('has no point in the list of events as %s', (name, form) => {
    expect(hasPoint(writeForm(form, LIST, [event]).toString())).toBe(REPEAT_THE_RECORD.includes(name));
    const exact = writeForm(form, LIST, [eventRecord()]).toString();
    expect([name, hasPoint(exact)]).toEqual([name, true]);
  });

  it.each(Object.entries(VENUE_FORMS))('has no point in the list of venues as %s', (name, form) => {
    expect(hasPoint(writeForm(form, LIST, [venue]).toString())).toBe(REPEAT_THE_RECORD.includes(name));
    expect([name, hasPoint(writeForm(form, LIST, [venueRecord()]).toString())]).toEqual([name, true]);
  });

  it('has no geometry in GeoJSON', () => {
    expect(JSON.parse(writeForm(EVENT_FORMS.geojson, LIST, [event]).toString()).features).toMatchObject([{ geometry: null }]);
    expect(JSON.parse(writeForm(VENUE_FORMS.geojson, LIST, [venue]).toString()).features).toMatchObject([{ geometry: null }]);
  });

  it('has no point in the JSON-LD of its page', () => {
    const facts = { images: [], offerUrl: 'https://events.example/', movedFrom: null, isSeries: false };
    const marked = (isInArea: boolean) =>
      JSON.stringify([
        eventMarkup({ ...event, isInArea, ...facts, cityName: 'Port Alder', currency: 'USD' } as never),
        venueMarkup({ ...venue.venue, website: null, openingHours: null, isInArea } as never, 'Port Alder', []),
      ]);
    expect([hasPoint(marked(true)), hasPoint(marked(false))]).toEqual([false, true]);
  });
});
