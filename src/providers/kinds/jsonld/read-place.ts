/** `location` of an event into a venue. */

import { readAmount } from '../../fields/amount.ts';
import { capacityOf } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { webAddress } from '../../fields/web-address.ts';
import type { VenueListing } from '../../listing.ts';
import { type Graph, get, idOf, isNode, listOf, type Node, namesOf, textOf, typesOf } from './node.ts';

export interface PlaceNode {
  venue: Partial<VenueListing>;
  /** There is a location, and it is none on the ground. */
  isVirtual: boolean;
}

/** A text, a Place, a PostalAddress, a VirtualLocation, or a list of them: of a list, the first place that has a name. */
export function readPlace(location: unknown, graph: Graph): PlaceNode {
  const given = listOf(location).map((each) => graph.resolve(each));
  const places = given.filter((each) => !isVirtual(each)).map((each) => readOne(each, graph));
  const venue = places.find(({ name }) => name) ?? places.find(({ address }) => address) ?? places[0] ?? {};
  return { venue, isVirtual: given.length > 0 && places.length === 0 };
}

function isVirtual(place: unknown): boolean {
  if (typeof place === 'string') return webAddress(place) !== null;
  return isNode(place) && typesOf(place).includes('VirtualLocation');
}

function readOne(place: unknown, graph: Graph): Partial<VenueListing> {
  if (!isNode(place)) return { name: textOf(place) };
  if (typesOf(place).includes('PostalAddress')) return { name: textOf(get(place, 'name')), address: readAddress(place) };
  const geo = graph.resolve(listOf(get(place, 'geo'))[0]);
  const at = isNode(geo) ? geo : place;
  const point = pointOf(textOf(get(at, 'latitude')), textOf(get(at, 'longitude')));
  const address = graph.resolve(listOf(get(place, 'address'))[0]);
  const name = textOf(get(place, 'name'));
  // A house, or a whole address, is also written as the name of the address.
  const addressName = isNode(address) ? textOf(get(address, 'name')) : null;
  const houses = namesOf(get(place, 'containedInPlace') ?? get(place, 'containedIn'), graph);
  return {
    externalId: ownAddress(idOf(place)),
    name: name ?? addressName,
    address: readAddress(address) ?? (name === null ? null : addressName),
    ...point,
    capacity: capacityOf(readAmount(textOf(get(place, 'maximumAttendeeCapacity')))),
    website: webAddress(textOf(get(place, 'sameAs'))),
    hints: houses.map((name) => ({ kind: 'venue' as const, name })),
  };
}

/** Templates give `#place` to every place: only an address of a document of its own is an id. */
function ownAddress(id: string | null): string | null {
  return id?.includes('#') ? null : webAddress(id);
}

/** One line of a PostalAddress. What an earlier part already says is not said again: streets are seen with town and code in them. */
function readAddress(address: unknown): string | null {
  if (!isNode(address)) return textOf(address);
  let line = textOf(get(address, 'streetAddress')) ?? '';
  for (const part of [textOf(get(address, 'addressLocality')), regionAndCode(address, line)]) {
    if (part !== null && part !== '' && !holds(line, part)) line = line === '' ? part : `${line}, ${part}`;
  }
  return line === '' ? null : line;
}

function regionAndCode(address: Node, line: string): string {
  const parts = [textOf(get(address, 'addressRegion')), textOf(get(address, 'postalCode'))];
  return parts.filter((part) => part !== null && !holds(line, part)).join(' ');
}

function holds(line: string, part: string): boolean {
  const words = ` ${line
    .toLowerCase()
    .split(/[\s,]+/)
    .join(' ')} `;
  return words.includes(
    ` ${part
      .toLowerCase()
      .split(/[\s,]+/)
      .join(' ')} `,
  );
}
