/** Where an event takes place: `LOCATION` and `GEO` (RFC 5545 §3.8.1), RFC 9073, and what programs write in properties of their own. */

import { beginsWithNumber, splitPlace } from '../../fields/place-text.ts';
import { webAddress } from '../../fields/web-address.ts';
import type { VenueListing } from '../../listing.ts';
import type { ContentLine } from './content-lines.ts';
import { type Property, readProperty, textOf } from './property.ts';
import { type CalendarEvent, linesOf } from './read-event.ts';

export interface CalendarPlace {
  venue: Partial<VenueListing>;
  /** Where the place is a page. */
  link: string | null;
  isKnown: boolean;
}

/** Beside `LOCATION` and `GEO`. What stands in a VLOCATION has this in front of its name. */
export const VLOCATION = 'VLOCATION/';

/** Whether a property of a program may say where an event is. */
export function saysPlace(name: string): boolean {
  return PLACES.has(name) || X_PLACE.test(name);
}

export function placeOf(event: CalendarEvent): CalendarPlace {
  const line = linesOf(event, 'LOCATION')[0];
  const text = textOf(line);
  const link = text === null ? null : webAddress(text);
  const structured = structuredOf(event);
  const isPoint = text !== null && /^geo:/i.test(text);
  const written = text === null || link !== null || isPoint ? null : splitPlace(text.slice(0, MAX_PLACE_CHARS));
  const point = pointOf(event, line);
  return {
    venue: { ...combined(written, structured), ...point },
    link,
    isKnown: written !== null || structured.name !== null || point !== null,
  };
}

interface NamedPlace {
  name: string | null;
  address: string | null;
}

interface Point {
  latitude: number;
  longitude: number;
}

/** `LOCATION` goes first; a street is no name where another property has one. */
function combined(written: NamedPlace | null, structured: NamedPlace): NamedPlace {
  if (!written) return structured;
  const isStreet = beginsWithNumber(written.name ?? '') && structured.name !== null && !beginsWithNumber(structured.name);
  return { name: isStreet ? structured.name : written.name, address: written.address ?? structured.address };
}

/** The first point that is written anywhere, the standard's own property first. 0/0 stands for unknown. */
function pointOf(event: CalendarEvent, location: ContentLine | undefined): Point | null {
  const locationProperty = location && readProperty(location);
  const texts = [
    ...linesOf(event, 'GEO').map(firstValue),
    ...event.raw.lines.filter(({ name }) => name.startsWith(VLOCATION) || STRUCTURED.has(name)).map(geoIn),
    ...event.raw.lines.filter(({ name }) => X_POINT.test(name)).map(firstValue),
    ...Object.values(locationProperty?.params ?? {}).map(uriOf),
    uriOf(locationProperty?.values[0] ?? ''),
    coordinatesApart(event),
  ];
  for (const text of texts) {
    const point = text === null ? null : readPoint(text);
    if (point && (point.latitude !== 0 || point.longitude !== 0)) return point;
  }
  return null;
}

function firstValue(line: ContentLine): string | null {
  return readProperty(line)?.values[0] ?? null;
}

/** The URI, also where parameters without quotes hide it. */
function geoIn(line: ContentLine): string | null {
  return uriOf(firstValue(line) ?? '') ?? uriOf(line.text.slice(Math.max(0, line.text.lastIndexOf('geo:')))) ?? pointLine(line);
}

function pointLine(line: ContentLine): string | null {
  return /(?:GEO|COORDINATES)$/.test(line.name) ? firstValue(line) : null;
}

function uriOf(text: string): string | null {
  return /^geo:/i.test(text) ? text : null;
}

/** `X-MICROSOFT-LATITUDE` and others of the kind, in two properties. */
function coordinatesApart(event: CalendarEvent): string | null {
  const [latitude, longitude] = [X_LATITUDE, X_LONGITUDE].map((pattern) =>
    event.raw.lines.filter(({ name }) => pattern.test(name)).map(firstValue),
  );
  return latitude?.[0] && longitude?.[0] ? `${latitude[0]};${longitude[0]}` : null;
}

/** §3.8.1.6, RFC 5870. Some programs escape the semicolon, or write a comma or a blank. Nothing is guessed of what is exchanged. */
function readPoint(text: string): Point | null {
  const plain = text.slice(0, MAX_POINT_CHARS).replaceAll('−', '-').replaceAll('°', '');
  const comma = DECIMAL_COMMA.exec(plain);
  const match = comma ? [null, `${comma[1]}.${comma[2]}`, `${comma[3]}.${comma[4]}`] : (POINT.exec(plain) ?? GEO_URI.exec(plain));
  return match ? { latitude: Number(match[1]), longitude: Number(match[2]) } : null;
}

function structuredOf(event: CalendarEvent): NamedPlace {
  const places = [
    ...event.raw.lines.filter(({ name }) => STRUCTURED.has(name)).map(titledPlace),
    { name: textOf(linesOf(event, `${VLOCATION}NAME`)[0]), address: null },
    ...linesOf(event, 'X-MICROSOFT-LOCATIONS').map(microsoftPlace),
    {
      name: textOf(linesOf(event, 'X-MICROSOFT-LOCATIONDISPLAYNAME')[0]),
      address: joined(MICROSOFT_PARTS.map((part) => textOf(linesOf(event, `X-MICROSOFT-${part.toUpperCase()}`)[0]))),
    },
  ];
  // The link of a meeting is no place, whatever it is called.
  const firstOf = (key: keyof NamedPlace): string | null =>
    places.map((place) => place[key]).find((text) => text !== null && webAddress(text) === null) ?? null;
  return { name: firstOf('name'), address: firstOf('address') };
}

/** `X-TITLE` may hold the address as well, below the name. */
function titledPlace(line: ContentLine): NamedPlace {
  const { params }: Pick<Property, 'params'> = readProperty(line) ?? { params: {} };
  const [name = '', ...lines] = (parameterText(params['x-title']) ?? '').split('\n').map((part) => part.trim());
  return { name: name || null, address: parameterText(params['x-address']) ?? (lines.join('\n') || null) };
}

/** Outlook's list of places, as JSON. */
function microsoftPlace(line: ContentLine): NamedPlace {
  const said = parseJson(firstValue(line)?.replace(/\\([,;])/g, '$1') ?? '');
  const first: unknown = Array.isArray(said) ? said[0] : said;
  const get = (key: string): string | null => {
    const value = typeof first === 'object' && first !== null ? (first as Record<string, unknown>)[key] : null;
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_PLACE_CHARS) : null;
  };
  return { name: get('DisplayName'), address: get('LocationFullAddress') ?? joined(MICROSOFT_PARTS.map(get)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A list that somebody cut says nothing.
    return null;
  }
}

function joined(parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join(', ') || null;
}

function parameterText(text: string | undefined): string | null {
  const plain = text?.slice(0, MAX_PLACE_CHARS).replace(/\\n/gi, '\n').replace(/\\(.)/g, '$1').trim();
  return plain ? plain : null;
}

const STRUCTURED: ReadonlySet<string> = new Set(['X-APPLE-STRUCTURED-LOCATION', 'STRUCTURED-LOCATION']);
const PLACES: ReadonlySet<string> = new Set(['LOCATION', 'GEO', ...STRUCTURED]);
const MICROSOFT_PARTS = ['LocationStreet', 'LocationCity', 'LocationState', 'LocationPostalCode', 'LocationCountry'];
const X_POINT = /^X-(?:[A-Z0-9]{1,20}-){0,3}(?:GEO|COORDINATES?|LATLNG|LATLON|LATLONG)$/;
const X_LATITUDE = /^X-[A-Z0-9-]{0,40}LATITUDE$/;
const X_LONGITUDE = /^X-[A-Z0-9-]{0,40}LONGITUDE$/;
const X_PLACE =
  /^X-(?:MICROSOFT-LOCATION[A-Z]{0,20}|(?:[A-Z0-9]{1,20}-){0,3}(?:GEO|COORDINATES?|LATLNG|LATLON|LATLONG)|[A-Z0-9-]{0,40}(?:LATITUDE|LONGITUDE))$/;
const POINT = /^\s*([+-]?\d{1,3}(?:\.\d{1,30})?)(?:\s*\\?[;,]\s*|\s+)([+-]?\d{1,3}(?:\.\d{1,30})?)\s*$/;
/** An altitude and parameters may follow. */
const GEO_URI = /^\s*geo:\s*([+-]?\d{1,3}(?:\.\d{1,30})?)\s*\\?[;,]\s*([+-]?\d{1,3}(?:\.\d{1,30})?)/i;
const DECIMAL_COMMA = /^\s*([+-]?\d{1,3}),(\d{1,30})\s*;\s*([+-]?\d{1,3}),(\d{1,30})\s*$/;
const MAX_PLACE_CHARS = 2_000;
const MAX_POINT_CHARS = 200;
