/** Registers that are no files of OpenStreetMap: GeoJSON and tables. */

import { parse } from 'csv-parse';
import type { AddressSink } from './address-sink.ts';
import { fieldColumns, type RegisterField, rowOf, takeRow } from './columns.ts';
import { jsonItems } from './json-items.ts';
import { HOUSE_KEYS, isHouse, isNarrow, middleOf } from './osm.ts';

interface Feature {
  type?: string;
  properties?: Readonly<Record<string, unknown>> | null;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

/** RFC 7946. Lines with a name and `highway` are streets; all other features are houses. */
export async function readGeoJson(chunks: AsyncIterable<string>, isLines: boolean, sink: AddressSink): Promise<void> {
  for await (const items of jsonItems(chunks, isLines)) for (const item of items) takeFeature(item as Feature, sink);
}

function takeFeature({ properties, geometry }: Feature, sink: AddressSink): void {
  const points = pointsOf(geometry?.coordinates);
  const texts = Object.entries(properties ?? {}).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  const plain = new Map(texts.map(([name, value]) => [name, String(value)]));
  if (geometry && LINES.has(geometry.type ?? '') && plain.has('name')) {
    for (const line of linesOf(geometry)) sink.line(plain.get('name') ?? '', pointsOf(line));
    return;
  }
  const row = rowOf(fieldColumns([...plain.keys()]), [...plain.values()]);
  const isAddress = row.number !== undefined || row.street !== undefined || row.address !== undefined;
  if (!isAddress && (row.name === undefined || !isNamedHouse(plain, geometry?.type))) return;
  if (points.length === 0) {
    sink.reject('a feature has no point');
    return;
  }
  const [latitude, longitude] = middleOf(points);
  takeRow({ ...row, latitude: String(latitude), longitude: String(longitude) }, sink, isNarrow(points));
}

/** Tags of OpenStreetMap say whether it is one. A point with other properties is what its list is about. */
function isNamedHouse(properties: ReadonlyMap<string, string>, shape: string | undefined): boolean {
  if (OSM_KEYS.some((key) => properties.has(key))) return isHouse(Object.fromEntries(properties));
  return shape === 'Point';
}

/** The coordinates of each line: between two of them there is no street. */
function linesOf({ type, coordinates }: NonNullable<Feature['geometry']>): unknown[] {
  return type === 'MultiLineString' && Array.isArray(coordinates) ? coordinates : [coordinates];
}

/** All positions of any geometry, latitude before longitude. */
function pointsOf(coordinates: unknown): number[] {
  if (!Array.isArray(coordinates)) return [];
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude === 'number' && typeof latitude === 'number') return [latitude, longitude];
  return coordinates.flatMap(pointsOf);
}

/** RFC 4180, with the delimiter of the first line. Rejects with a sentence if a column is missing. */
export async function readTable(chunks: AsyncIterable<string>, head: string, sink: AddressSink): Promise<void> {
  const [firstLine = ''] = head.split(/\r?\n/, 1);
  const delimiter = DELIMITERS.reduce((best, sign) =>
    firstLine.split(sign).length > firstLine.split(best).length ? sign : best,
  );
  const columns = fieldColumns(firstLine.split(delimiter));
  const has = (...fields: RegisterField[]): boolean => columns.some(({ field }) => fields.includes(field));
  // Beside numbers, a column of names may hold the streets.
  const hasPlace = has('street', 'address') || (has('name') && !has('number'));
  if (!hasPlace || !has('latitude') || !has('longitude')) {
    const wanted = 'columns named number, street, city, postcode, lat and lon, or address, lat and lon';
    throw new RangeError(`its first line must name ${wanted}, but is "${firstLine.slice(0, MAX_SHOWN)}"`);
  }
  const parser = parse({
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    from_line: 2,
  });
  // Written by hand: a pipe would drop an error of the file.
  const fed = feed(chunks, parser);
  for await (const cells of parser as AsyncIterable<string[]>) takeRow(rowOf(columns, cells), sink);
  await fed;
}

async function feed(chunks: AsyncIterable<string>, parser: ReturnType<typeof parse>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve));
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

/** Keys of what has a name and may be no house. */
const OSM_KEYS = [...HOUSE_KEYS, 'highway', 'place', 'railway', 'public_transport', 'natural', 'landuse', 'waterway', 'boundary'];
const LINES: ReadonlySet<string> = new Set(['LineString', 'MultiLineString']);
const DELIMITERS = [',', ';', '\t', '|'] as const;
const MAX_SHOWN = 120;
