/** Lines along which a mapper knows only some of the numbers. https://wiki.openstreetmap.org/wiki/Key:addr:interpolation */

import { distanceInCity } from '../../values/distance.ts';
import { parseHouseNumber } from '../house-number.ts';
import type { AddressSink, ListedHouse } from './address-sink.ts';
import type { OsmElement } from './osm-element.ts';

type Tags = Readonly<Record<string, string>>;

export const isInterpolation = ({ type, tags = {} }: OsmElement): boolean =>
  type === 'way' && STEPS.test(tags['addr:interpolation'] ?? '');

/** The parts of an address that say where its number counts. */
export const addressOf = (tags: Tags): Pick<ListedHouse, 'street' | 'town' | 'postcode'> => ({
  street: tags['addr:street'] ?? tags['addr:place'] ?? '',
  town: tags['addr:city'] ?? tags['addr:town'] ?? tags['addr:village'] ?? tags['addr:hamlet'] ?? '',
  postcode: tags['addr:postcode'] ?? '',
});

export interface LineNode {
  latitude: number;
  longitude: number;
  /** Of a node with a number. */
  tags: Tags | undefined;
}

/** Takes the numbers between those of the nodes, at the place along the line that their share of the numbers has. */
export function takeInterpolation({ tags = {} }: OsmElement, nodes: readonly LineNode[], sink: AddressSink): void {
  const known = knownNumbers(nodes);
  const address = addressAlong(tags, nodes);
  // A node is an address by itself only if it says its street.
  for (const { text, node } of known) {
    if (addressOf(node.tags ?? {}).street === '') sink.house({ ...address, number: text, ...pointOf(node) });
  }
  const wanted = tags['addr:interpolation'] ?? '';
  for (const [index, to] of known.entries()) {
    const from = known[index - 1];
    if (!from || Math.abs(to.number - from.number) > MAX_NUMBERS) continue;
    for (const number of numbersBetween(from.number, to.number, wanted)) {
      const share = (number - from.number) / (to.number - from.number);
      const point = pointAlong(nodes, from.at, to.at, share);
      sink.house({ ...address, ...point, number: String(number), isWorkedOut: true });
    }
  }
}

const pointOf = ({ latitude, longitude }: LineNode) => ({ latitude, longitude });

function knownNumbers(nodes: readonly LineNode[]): { at: number; number: number; text: string; node: LineNode }[] {
  return nodes.flatMap((node, at) => {
    const text = node.tags?.['addr:housenumber'] ?? '';
    const number = parseHouseNumber(text)?.from;
    return number === undefined ? [] : [{ at, number, text, node }];
  });
}

/** The address of the line counts before those of its nodes. */
function addressAlong(tags: Tags, nodes: readonly LineNode[]): ReturnType<typeof addressOf> {
  const all = [addressOf(tags), ...nodes.map((node) => addressOf(node.tags ?? {}))];
  const first = (part: 'street' | 'town' | 'postcode') => all.map((each) => each[part]).find((text) => text !== '') ?? '';
  return { street: first('street'), town: first('town'), postcode: first('postcode') };
}

function numbersBetween(from: number, to: number, wanted: string): number[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const parity = { even: 0, odd: 1 }[wanted];
  const step = parity === undefined ? Number(wanted) || 1 : 1;
  const numbers: number[] = [];
  for (let number = low + step; number < high; number += step)
    if (parity === undefined || number % 2 === parity) numbers.push(number);
  return numbers;
}

/** The point that has this share of the way from one node of a line to another behind it. */
function pointAlong(nodes: readonly LineNode[], from: number, to: number, share: number): ReturnType<typeof pointOf> {
  const part = nodes.slice(from, to + 1);
  const lengths = part.slice(1).map((node, index) => distanceInCity(part[index] ?? node, node));
  let rest = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [index, length] of lengths.entries()) {
    const [a, b] = [part[index], part[index + 1]];
    if (a && b && (rest <= length || index === lengths.length - 1)) {
      const mix = length === 0 ? 0 : Math.min(1, rest / length);
      return {
        latitude: a.latitude + (b.latitude - a.latitude) * mix,
        longitude: a.longitude + (b.longitude - a.longitude) * mix,
      };
    }
    rest -= length;
  }
  return pointOf(part[0] as LineNode);
}

/** Letters between two numbers are not read. */
const STEPS = /^(?:odd|even|all|[1-9]\d?)$/;
/** A line with more numbers between two nodes is a mistake. */
const MAX_NUMBERS = 1000;
