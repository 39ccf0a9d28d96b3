import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { EVENT_FORMS, type ServedEvent, VENUE_FORMS, writeForm } from '../../../src/feeds/index.ts';
import { cleaned, hostileLists } from './hostile-text.ts';
import { eventRecord, idOf, LIST, venueRecord } from './made-records.ts';

const eventsOf = (texts: readonly (readonly [string, string, string])[]): ServedEvent[] =>
  texts.map(([title, description, venueName], n) => eventRecord({ id: idOf(n), title, description, venueName }));
const idsOf = (texts: readonly unknown[]) => texts.map((_, n) => idOf(n));

describe('ten thousand hostile titles and descriptions', () => {
  it('survive iCalendar, read by ical.js', () => {
    each((texts) => {
      const written = writeForm(EVENT_FORMS.ics, LIST, eventsOf(texts)).toString();
      const events = new ICAL.Component(ICAL.parse(written)).getAllSubcomponents('vevent');
      expect(events.map((event) => event.getFirstPropertyValue('uid'))).toEqual(idsOf(texts));
      texts.forEach(([title, description, venueName], n) => {
        expect(events[n]?.getFirstPropertyValue('summary')).toBe(cleaned(title));
        expect(events[n]?.getFirstPropertyValue('description')).toBe(
          `${cleaned(description)}\n\nhttps://events.example/events/noon-concert`,
        );
        expect(events[n]?.getFirstPropertyValue('location')).toBe(`${cleaned(venueName)}, 8 Quay St`);
      });
      for (const line of written.split('\r\n')) {
        expect(line).not.toMatch(/[\r\n]/);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }
    });
  });

  it('survive RSS and Atom, read by feedsmith, and are no markup there', () => {
    each((texts) => {
      const rss = parseRssFeed(writeForm(EVENT_FORMS.rss, LIST, eventsOf(texts)).toString());
      const atom = parseAtomFeed(writeForm(EVENT_FORMS.atom, LIST, eventsOf(texts)).toString());
      expect(rss.items?.map(({ guid }) => guid?.value)).toEqual(idsOf(texts).map((id) => `urn:uuid:${id}`));
      expect(atom.entries?.map(({ id }) => id)).toEqual(idsOf(texts).map((id) => `urn:uuid:${id}`));
      texts.forEach(([title, description], n) => {
        const item = rss.items?.[n];
        const entry = atom.entries?.[n];
        expect(item?.title ?? '').toBe(cleaned(title).trim());
        expect(entry?.title?.value ?? '').toBe(cleaned(title).trim());
        const paragraphs = item?.description?.match(/<p>.*?<\/p>/gs) ?? [];
        expect(unescapeHtml(paragraphs.at(-1) ?? '')).toBe(cleaned(description));
        expect(item?.description?.replaceAll(/<\/?p>|<br>/g, '')).not.toMatch(/[<>]/);
        expect(entry?.content?.value?.endsWith(cleaned(description).trimEnd())).toBe(true);
      });
    });
  });

  it('survive JSON Feed, GeoJSON, NDJSON and JSON-LD unchanged', () => {
    each((texts) => {
      const records = eventsOf(texts);
      const whole = (form: (typeof EVENT_FORMS)['geojson']) => writeForm(form, LIST, records).toString();
      const feed = JSON.parse(whole(EVENT_FORMS['feed.json']));
      const content: { title: string; content_text: string }[] = feed.items;
      expect(parseJsonFeed(feed).items?.map(({ id }) => id)).toEqual(idsOf(texts));
      const { features } = JSON.parse(whole(EVENT_FORMS.geojson));
      expect(features.map(({ properties }: { properties: unknown }) => properties)).toEqual(
        records.map(({ json }) => JSON.parse(json)),
      );
      const rows = whole(EVENT_FORMS.ndjson).split('\n').slice(0, -1);
      expect(rows).toEqual(records.map(({ json }) => json));
      const linked = whole(EVENT_FORMS.jsonld);
      expect(linked).not.toContain('<');
      const items = JSON.parse(linked).itemListElement.map(({ item }: { item: unknown }) => item);
      texts.forEach(([title, description, venueName], n) => {
        expect(content[n]?.title).toBe(wire(title));
        expect(content[n]?.content_text.endsWith(wire(description))).toBe(true);
        expect(items[n]).toMatchObject({
          name: wire(title),
          description: wire(description),
          location: { name: wire(venueName) },
        });
      });
    });
  });

  it('survive CSV, read by csv-parse, and none is a formula', () => {
    each((texts) => {
      const rows: Record<string, string>[] = parseCsv(writeForm(EVENT_FORMS.csv, LIST, eventsOf(texts)), { columns: true });
      expect(rows.map(({ id }) => id)).toEqual(idsOf(texts));
      texts.forEach(([title, description, venueName], n) => {
        const row = rows[n];
        expect(unguarded(row?.title)).toBe(cleaned(title));
        expect(unguarded(row?.description)).toBe(cleaned(description));
        expect(unguarded(row?.venueName)).toBe(cleaned(venueName));
        for (const cell of [row?.title, row?.description, row?.venueName]) expect(cell).not.toMatch(/^\s*[=+\-@\t＝＠]/);
        expect(row?.longitude).toBe('-87.623177');
      });
    });
  });

  it('survive the forms of venues', () => {
    each((texts) => {
      const records = texts.map(([name, address]) => venueRecord(name, address));
      const written = (form: keyof typeof VENUE_FORMS) => writeForm(VENUE_FORMS[form], LIST, records).toString();
      const rows: Record<string, string>[] = parseCsv(written('csv'), { columns: true });
      expect(rows.map(({ name }) => unguarded(name))).toEqual(texts.map(([name]) => cleaned(name)));
      expect(rows.map(({ address }) => unguarded(address))).toEqual(texts.map(([, address]) => cleaned(address)));
      const names = (found: { name: string }[]) =>
        expect(found.map(({ name }) => name)).toEqual(texts.map(([name]) => wire(name)));
      names(JSON.parse(written('geojson')).features.map(({ properties }: { properties: { name: string } }) => properties));
      names(JSON.parse(written('jsonld')).itemListElement.map(({ item }: { item: { name: string } }) => item));
      names(
        written('ndjson')
          .split('\n')
          .slice(0, -1)
          .map((row) => JSON.parse(row)),
      );
    });
  });
});

function each(check: (texts: [string, string, string][]) => void): void {
  fc.assert(fc.property(hostileLists, check), { numRuns: 34, endOnFailure: true });
}

/** As JSON carries it. */
const wire = (text: string): string => JSON.parse(JSON.stringify(text));
const unguarded = (cell = ''): string => (/^'+[\s]*[=+\-@\t\n＝＠]/.test(cell) ? cell.slice(1) : cell);

function unescapeHtml(paragraph: string): string {
  const inner = paragraph.slice('<p>'.length, -'</p>'.length).replaceAll('<br>', '\n');
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return inner.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '');
}
