/** Files of OpenStreetMap as elements: XML, PBF and the JSON of Overpass. */

import type { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';
import { OSMTransform } from 'osm-pbf-parser-node';
import { CUT_OFF, jsonItems } from './json-items.ts';
import { type OsmElement, type OsmMember, parseElement } from './osm-element.ts';

/** https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL#Output_Format_(out:json) */
export async function* overpassElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  let end = '';
  async function* noteEnd(): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      end = (end + chunk).slice(-END_CHARS);
      yield chunk;
    }
  }
  for await (const items of jsonItems(noteEnd(), false)) yield items.flatMap((item) => parseElement(item) ?? []);
  const [, remark] = REMARK_AT_END.exec(end) ?? [];
  if (remark !== undefined) refusePart(String(JSON.parse(remark)));
}

/** Overpass answers with what it has so far, and says only at the end that its time or memory did not suffice. */
function refusePart(remark: string): void {
  const text = remark.trim().replace(/\.$/, '');
  if (!/^runtime error|timed out|out of memory/i.test(text)) return;
  throw new Error(
    `it holds only a part, so ask Overpass again with a larger [timeout:] and [maxsize:], or for a smaller area; Overpass said: ${text}`,
  );
}

/** https://wiki.openstreetmap.org/wiki/OSM_XML */
export async function* xmlElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  const reading: XmlReading = { elements: [], current: null, member: null, isWhole: false, remark: null };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => openTag(reading, name, attributes),
      ontext(text) {
        if (reading.remark !== null && reading.remark.length < END_CHARS) reading.remark += text;
      },
      onclosetag: (name, isImplied) => closeTag(reading, name, isImplied),
    },
    { xmlMode: true },
  );
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield reading.elements;
    reading.elements = [];
  }
  parser.end();
  if (!reading.isWhole) throw new Error(CUT_OFF);
  if (reading.remark !== null) refusePart(reading.remark);
}

interface XmlReading {
  elements: OsmElement[];
  current: XmlElement | null;
  member: XmlMember | null;
  /** Whether the end of the document was seen. */
  isWhole: boolean;
  remark: string | null;
}

type XmlLine = NonNullable<OsmMember['geometry']>[number][];
interface XmlMember extends OsmMember {
  geometry?: XmlLine;
}
interface XmlElement extends OsmElement {
  tags: Record<string, string>;
  nodes: number[];
  members: OsmMember[];
  geometry?: XmlLine;
}

type XmlAttributes = Readonly<Record<string, string | undefined>>;

function openTag(reading: XmlReading, name: string, attributes: XmlAttributes): void {
  const { current } = reading;
  if (name === 'node' || name === 'way' || name === 'relation') reading.current = startElement(name, attributes);
  else if (name === 'remark') reading.remark = '';
  else if (current) openPart(reading, current, name, attributes);
}

/** Null for what is deleted: editors keep it in their files. */
function startElement(type: OsmElement['type'], { id, lat, lon, action, visible }: XmlAttributes): XmlElement | null {
  const number = numberOf(id);
  if (number === undefined || action === 'delete' || visible === 'false') return null;
  return { type, id: number, lat: numberOf(lat), lon: numberOf(lon), tags: {}, nodes: [], members: [] };
}

function openPart(reading: XmlReading, current: XmlElement, name: string, attributes: XmlAttributes): void {
  const { k, v, type = '', role = '' } = attributes;
  const [ref, point] = [numberOf(attributes.ref), pointOf(attributes)];
  if (name === 'tag' && k !== undefined && v !== undefined) current.tags[k] = v;
  else if (name === 'center' && point) current.center = point;
  else if (name === 'member' && ref !== undefined) {
    reading.member = { type, ref, role };
    current.members.push(reading.member);
  } else if (name === 'nd') {
    if (ref !== undefined) current.nodes.push(ref);
    addPoint(reading, current, point);
  }
}

/** With `out geom`, Overpass writes points beside the ids of ways, and alone into members. A point outside of the file is empty. */
function addPoint({ member }: XmlReading, current: XmlElement, point: XmlLine[number]): void {
  if (member) {
    member.geometry ??= [];
    member.geometry.push(point);
  } else if (current.geometry) current.geometry.push(point);
  else if (point) current.geometry = [...current.nodes.slice(1).map(() => null), point];
}

function closeTag(reading: XmlReading, name: string, isImplied: boolean): void {
  if (name === 'osm') reading.isWhole = !isImplied;
  if (name === 'member') reading.member = null;
  if (reading.current?.type !== name) return;
  reading.elements.push(reading.current);
  reading.current = null;
}

/** Undefined for what is no number. */
function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function pointOf(attributes: XmlAttributes): { lat: number; lon: number } | null {
  const [lat, lon] = [numberOf(attributes.lat), numberOf(attributes.lon)];
  return lat === undefined || lon === undefined ? null : { lat, lon };
}

/**
 * https://wiki.openstreetmap.org/wiki/PBF_Format
 * @param keys of the tags that are needed; null: all of them.
 */
export async function* pbfElements(chunks: Readable, keys: readonly string[] | null): AsyncGenerator<OsmElement[]> {
  const wanted = keys === null ? true : [...keys];
  const parser = new SafeTransform({ withTags: { node: wanted, way: wanted, relation: wanted }, withInfo: false });
  chunks.once('error', (error) => parser.destroy(error));
  for await (const batch of chunks.pipe(parser)) {
    const elements = (batch as (PbfElement | object)[]).filter((element): element is PbfElement => 'type' in element);
    for (const element of elements) if (element.refs) element.nodes = element.refs;
    yield elements;
  }
}

interface PbfElement extends OsmElement {
  refs?: number[];
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

/** At the end of the whole document: a tag of an element has more brackets behind it. */
const REMARK_AT_END = /"remark"\s*:\s*("(?:[^"\\]|\\.)*")\s*\}\s*$/;
const END_CHARS = 4096;
