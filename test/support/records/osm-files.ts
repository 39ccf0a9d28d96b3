/** Writes elements of OpenStreetMap as the files that operators have: PBF and XML, where each line is ways and nodes of their own. */

import { deflateSync } from 'node:zlib';

interface PlainElement {
  type: 'node' | 'way' | 'relation';
  id: number;
  lat?: number;
  lon?: number;
  tags?: Readonly<Record<string, string>>;
  nodes?: readonly number[];
  members?: readonly { type: string; ref: number; role: string }[];
}

interface Shaped extends Omit<PlainElement, 'members'> {
  geometry?: readonly { lat: number; lon: number }[];
  members?: readonly { type: string; ref: number; role: string; geometry?: readonly { lat: number; lon: number }[] }[];
}

/** Without shapes in elements: their points become nodes and their lines ways, nodes first, as files are sorted. */
export function plainElements(elements: readonly object[]): PlainElement[] {
  let nextId = 1_000_000;
  const added: PlainElement[] = [];
  const nodesOf = (line: readonly { lat: number; lon: number }[]): number[] => {
    const ids = line.map(({ lat, lon }) => {
      const known = added.find((node) => node.type === 'node' && node.lat === lat && node.lon === lon);
      if (!known) added.push({ type: 'node', id: nextId, lat, lon });
      return known?.id ?? nextId++;
    });
    return ids;
  };
  const plain = (elements as readonly Shaped[]).map(({ geometry, members, ...element }): PlainElement => {
    const ways = members?.map(({ geometry: line, ...member }) => {
      if (line) added.push({ type: 'way', id: member.ref, nodes: nodesOf(line) });
      return member;
    });
    return { ...element, ...(geometry && { nodes: nodesOf(geometry) }), ...(ways && { members: ways }) };
  });
  const order = ['node', 'way', 'relation'];
  return [...plain, ...added].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
}

export function osmXml(elements: readonly PlainElement[]): string {
  const attributes = (values: object): string =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}="${String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
      .join('');
  const lines = elements.map(({ type, id, lat, lon, tags = {}, nodes = [], members = [] }) => {
    const parts = [
      ...nodes.map((ref) => `<nd${attributes({ ref })}/>`),
      ...members.map((member) => `<member${attributes(member)}/>`),
      ...Object.entries(tags).map(([k, v]) => `<tag${attributes({ k, v })}/>`),
    ];
    return `<${type}${attributes({ id, lat, lon })}>${parts.join('')}</${type}>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">\n${lines.join('\n')}\n</osm>\n`;
}

/** A header, then one block for each type. */
export function osmPbf(elements: readonly PlainElement[]): Buffer {
  const header = field(4, Buffer.from('OsmSchema-V0.6'));
  const blocks = (['node', 'way', 'relation'] as const)
    .map((type) => elements.filter((element) => element.type === type))
    .filter((group) => group.length > 0)
    .map((group) => blobOf('OSMData', blockOf(group)));
  return Buffer.concat([blobOf('OSMHeader', header), ...blocks]);
}

function blockOf(elements: readonly PlainElement[]): Buffer {
  const strings = new Map([['', 0]]);
  const indexOf = (text: string): number => {
    const index = strings.get(text) ?? strings.size;
    strings.set(text, index);
    return index;
  };
  const group = elements.map((element) => field(GROUP_FIELDS[element.type], partsOf(element, indexOf)));
  const table = Buffer.concat([...strings.keys()].map((text) => field(1, Buffer.from(text))));
  return Buffer.concat([field(1, table), field(2, Buffer.concat(group))]);
}

function partsOf(
  { type, id, lat = 0, lon = 0, tags = {}, nodes = [], members = [] }: PlainElement,
  indexOf: (text: string) => number,
) {
  const named = [
    varintField(1, type === 'node' ? zigzag(id) : id),
    field(2, packed(Object.keys(tags).map(indexOf))),
    field(3, packed(Object.values(tags).map(indexOf))),
  ];
  if (type === 'node') named.push(varintField(8, zigzag(Math.round(lat * 1e7))), varintField(9, zigzag(Math.round(lon * 1e7))));
  if (type === 'way') named.push(field(8, packed(deltas(nodes).map(zigzag))));
  if (type === 'relation') {
    named.push(
      field(8, packed(members.map(({ role }) => indexOf(role)))),
      field(9, packed(deltas(members.map(({ ref }) => ref)).map(zigzag))),
      field(10, packed(members.map((member) => Object.keys(GROUP_FIELDS).indexOf(member.type)))),
    );
  }
  return Buffer.concat(named);
}

const deltas = (ids: readonly number[]): number[] => ids.map((id, index) => id - (ids[index - 1] ?? 0));

function blobOf(type: string, content: Buffer): Buffer {
  const blob = Buffer.concat([varintField(2, content.length), field(3, deflateSync(content))]);
  const head = Buffer.concat([field(1, Buffer.from(type)), varintField(3, blob.length)]);
  const size = Buffer.alloc(4);
  size.writeInt32BE(head.length);
  return Buffer.concat([size, head, blob]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

const packed = (values: readonly number[]): Buffer => Buffer.concat(values.map(varint));

const varintField = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)]);

const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);

/** Of a group, in the order of the types of members. */
const GROUP_FIELDS = { node: 1, way: 3, relation: 4 } as const;
