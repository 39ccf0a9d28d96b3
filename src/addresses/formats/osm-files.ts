/** Files of OpenStreetMap as elements: XML, PBF and the JSON of Overpass. */

import type { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';
import { OSMTransform } from 'osm-pbf-parser-node';
import { CUT_OFF, jsonItems } from './json-items.ts';
import type { OsmElement } from './osm.ts';

/** https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL#Output_Format_(out:json) */
export async function* overpassElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  let end = '';
  async function* noteEnd(): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      end = (end + chunk).slice(-END_CHARS);
      yield chunk;
    }
  }
  for await (const items of jsonItems(noteEnd(), false)) {
    yield items.map((item) => elementOf(item as Record<string, unknown>));
  }
  const [, remark] = REMARK_AT_END.exec(end) ?? [];
  if (remark !== undefined) refuseFailure(String(JSON.parse(remark)));
}

/** Takes only what has its type: the file may be of any program. */
function elementOf({ type, id, lat, lon, tags, nodes, geometry, center }: Record<string, unknown>): OsmElement {
  return {
    type: type as OsmElement['type'],
    id: Number(id),
    lat: typeof lat === 'number' ? lat : undefined,
    lon: typeof lon === 'number' ? lon : undefined,
    tags: tagsOf(tags),
    refs: Array.isArray(nodes) ? nodes.filter((node) => typeof node === 'number') : undefined,
    geometry: Array.isArray(geometry) ? geometry.filter(isLatLon) : undefined,
    center: isLatLon(center) ? center : undefined,
  };
}

function tagsOf(tags: unknown): OsmElement['tags'] {
  if (typeof tags !== 'object' || tags === null) return undefined;
  const texts = Object.entries(tags).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(texts.map(([key, value]) => [key, String(value)]));
}

function isLatLon(value: unknown): value is { lat: number; lon: number } {
  const { lat, lon } = (value ?? {}) as { lat?: unknown; lon?: unknown };
  return typeof lat === 'number' && typeof lon === 'number';
}

/** Overpass answers with what it has so far, and says only at the end that its time or memory did not suffice. */
function refuseFailure(remark: string): void {
  const text = remark.trim().replace(/\.$/, '');
  if (text.startsWith('runtime error')) throw new Error(`Overpass could not give everything: ${text}`);
}

/** https://wiki.openstreetmap.org/wiki/OSM_XML */
export async function* xmlElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  let elements: OsmElement[] = [];
  let current: (OsmElement & { refs: number[]; tags: Record<string, string> }) | null = null;
  let isWhole = false;
  let remark: string | null = null;
  const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  const parser = new Parser(
    {
      onopentag(name, { id, lat, lon, k, v, ref }) {
        if (name === 'node' || name === 'way' || name === 'relation') {
          current = { type: name, id: Number(id), lat: numberOf(lat), lon: numberOf(lon), tags: {}, refs: [] };
        } else if (name === 'tag' && current && k !== undefined && v !== undefined) current.tags[k] = v;
        else if (name === 'nd' && current && ref !== undefined) current.refs.push(Number(ref));
        else if (name === 'remark') remark = '';
        else if (name === 'center' && current && lat !== undefined && lon !== undefined) {
          current.center = { lat: Number(lat), lon: Number(lon) };
        }
      },
      ontext(text) {
        if (remark !== null && remark.length < END_CHARS) remark += text;
      },
      onclosetag(name, isImplied) {
        if (name === 'osm') isWhole = !isImplied;
        if (current?.type !== name) return;
        elements.push(current);
        current = null;
      },
    },
    { xmlMode: true },
  );
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield elements;
    elements = [];
  }
  parser.end();
  if (!isWhole) throw new Error(CUT_OFF);
  if (remark !== null) refuseFailure(remark);
}

/** https://wiki.openstreetmap.org/wiki/PBF_Format */
export async function* pbfElements(chunks: Readable): AsyncGenerator<OsmElement[]> {
  const parser = new SafeTransform({ withTags: { node: TAGS, way: TAGS, relation: TAGS }, withInfo: false });
  chunks.once('error', (error) => parser.destroy(error));
  for await (const batch of chunks.pipe(parser)) {
    yield (batch as (OsmElement | object)[]).filter((element): element is OsmElement => 'type' in element);
  }
}

/** The parser throws where a stream should fail. */
class SafeTransform extends OSMTransform {
  override _transform(...[chunk, encoding, next]: Parameters<OSMTransform['_transform']>): void {
    try {
      super._transform(chunk, encoding, next);
    } catch (error) {
      next(error as Error);
    }
  }

  override _flush(next: Parameters<OSMTransform['_flush']>[0]): void {
    try {
      super._flush(next);
    } catch {
      next(new Error(CUT_OFF));
    }
  }
}

const TAGS = [
  ...[
    'addr:housenumber',
    'addr:street',
    'addr:place',
    'addr:city',
    'addr:town',
    'addr:village',
    'addr:hamlet',
    'addr:postcode',
    'addr:interpolation',
  ],
  ...['highway', 'name', 'place'],
];
/** At the end of the whole document: a tag of an element has more brackets behind it. */
const REMARK_AT_END = /"remark"\s*:\s*("(?:[^"\\]|\\.)*")\s*\}\s*$/;
const END_CHARS = 4096;
