/** Gathers by street everything that is read from a file of any format: houses with their points, and lines of streets. */

import { nameKey } from '../../facts/index.ts';
import { countsInBlock, type HouseNumber, isWorkedOut, keysOf, parseHouseNumber, WORKED_OUT } from '../house-number.ts';
import { type House, type Line, MICRO_DEGREES } from '../packed-street.ts';
import { foldWord } from '../spelling.ts';
import { COMPOUND_KINDS } from '../spelling-tables.ts';

export interface ListedHouse {
  number: string;
  street: string;
  town: string;
  postcode: string;
  /** Degrees of WGS 84. */
  latitude: number;
  longitude: number;
  /** The point is only where the house must be. */
  isWorkedOut?: true;
}

/** What an address is called; `number` and `street` are '' for what has none. */
export interface ListedName extends Pick<ListedHouse, 'number' | 'street' | 'town' | 'latitude' | 'longitude'> {
  name: string;
  /** Whether the point is that of the house: false for the middle of wide grounds. */
  isExact: boolean;
}

export interface AddressSink {
  house(house: ListedHouse): void;
  /** What says no name, or no point, is passed over: it may still be an address. */
  name(named: ListedName): void;
  /** Points of a line, latitude before longitude, in degrees. */
  line(street: string, points: readonly number[]): void;
  reject(reason: string): void;
}

export interface GatheredStreet {
  street: string;
  town: string;
  postcode: string;
  houses: House[];
  lines: Line[];
}

export interface GatheredName {
  name: string;
  address: string | null;
  /** Degrees of WGS 84. */
  latitude: number;
  longitude: number;
  isExact: boolean;
}

export interface GatheredAddresses {
  streets: GatheredStreet[];
  names: GatheredName[];
  houses: number;
  /** How often something was rejected, by reason. */
  rejected: Map<string, number>;
}

/**
 * `finish` gives what was gathered; it throws a `RangeError` if there were too many houses.
 * @param isWanted of a house, or of the first point of a street: what is not is passed over.
 */
export function createSink(
  isWanted: (point: { latitude: number; longitude: number }) => boolean = () => true,
): AddressSink & { finish(): GatheredAddresses } {
  const streets = new Map<string, NumberedStreet>();
  const names = createNames();
  const rejected = new Map<string, number>();
  let houses = 0;
  const reject = (reason: string): void => void rejected.set(reason, (rejected.get(reason) ?? 0) + 1);

  function streetOf(street: string, town: string, postcode: string): NumberedStreet {
    const key = `${street}\n${town}\n${postcode}`;
    const found = streets.get(key) ?? { street, town, postcode, houses: [], lines: [], numbers: [], blocks: 0, hyphens: 0 };
    streets.set(key, found);
    return found;
  }

  return {
    reject,
    house({ number, street, town, postcode, latitude, longitude, isWorkedOut }) {
      const name = cut(street);
      if (name === '') return reject('a house has no street');
      if (!isPoint(latitude, longitude)) return reject('the point is not in degrees of WGS 84');
      if (!isWanted({ latitude, longitude })) return;
      // Beyond the limit they are only counted.
      if (houses++ >= MAX_HOUSES) return;
      const found = streetOf(name, cut(town), cut(postcode).split('-')[0] ?? '');
      const at = { latitude: toMicro(latitude), longitude: toMicro(longitude) };
      for (const each of number.split(SEVERAL)) addNumber(found, each.trim(), { ...at, isWorkedOut }, reject);
    },
    name({ name, number, street, town, latitude, longitude, isExact }) {
      const called = cut(name);
      if (!HAS_LETTER.test(called) || !isPoint(latitude, longitude) || !isWanted({ latitude, longitude })) return;
      names.add({ name: called, address: formatAddress(cut(number), cut(street), cut(town)), latitude, longitude, isExact });
    },
    line(street, points) {
      const name = cut(street);
      if (name === '' || points.length < MIN_LINE) return reject('a street has no name or no line');
      if (!points.every((degrees) => Number.isFinite(degrees) && Math.abs(degrees) <= 180)) {
        return reject('the point is not in degrees of WGS 84');
      }
      const [latitude = 0, longitude = 0] = points;
      if (!isWanted({ latitude, longitude })) return;
      streetOf(name, '', '').lines.push(points.map(toMicro));
    },
    finish() {
      if (houses > MAX_HOUSES) throw new RangeError(tooMany(houses, 'houses', MAX_HOUSES));
      const used = [...streets.values()].filter(({ numbers, lines }) => numbers.length + lines.length > 0);
      const gathered = used.map(({ numbers, blocks, hyphens, ...street }) => {
        const of = housesOf(numbers, blocks > hyphens * BLOCK_SHARE);
        // A large city has a million of them: they need not be there twice.
        numbers.length = 0;
        return { ...street, houses: of };
      });
      return {
        streets: gathered,
        names: names.all((count) =>
          rejected.set(`its names of houses are more than ${MAX_NAMES.toLocaleString('en-US')}`, count),
        ),
        houses: gathered.reduce((sum, { houses }) => sum + houses.filter(({ key }) => !isWorkedOut(key)).length, 0),
        rejected,
      };
    },
  };
}

export const tooMany = (count: number, what: string, limit: number): string =>
  `it has ${count.toLocaleString('en-US')} ${what}, and ${limit.toLocaleString('en-US')} is the limit; cut the town out of the file first`;

/**
 * One house is often listed as an entrance, a building and a shop: of one name it is kept once, with all that is known of it. A name that
 * very many houses have tells none of them: then none is kept, so that no place takes one of them for the only one.
 */
function createNames() {
  const byName = new Map<string, GatheredName[]>();
  const tooCommon = new Set<string>();
  let count = 0;
  let left = 0;
  return {
    add(named: GatheredName): void {
      const key = nameKey(named.name);
      if (tooCommon.has(key)) return;
      const there = byName.get(key) ?? [];
      const same = there.find((other) => {
        const [north, east] = [other.latitude - named.latitude, other.longitude - named.longitude];
        return other.name === named.name && Math.hypot(north, east) * MICRO_DEGREES <= SAME_HOUSE;
      });
      if (same) {
        if (!same.isExact && named.isExact) Object.assign(same, { ...named, address: named.address ?? same.address });
        same.address ??= named.address;
      } else if (there.length >= MAX_OF_ONE_NAME) {
        tooCommon.add(key);
        byName.delete(key);
        count -= there.length;
      } else if (count >= MAX_NAMES) {
        left++;
      } else {
        count++;
        byName.set(key, [...there, named]);
      }
    },
    /** All of them or none: of a part nobody would know which house is the only one of its name. */
    all(onTooMany: (count: number) => void): GatheredName[] {
      if (left === 0) return [...byName.values()].flat();
      onTooMany(count + left);
      return [];
    },
  };
}

/** As people of the street's language write it: `31 Quarry St`, `Holunderweg 4`. */
function formatAddress(number: string, street: string, town: string): string | null {
  if (street === '') return null;
  const isNumberLast = COMPOUND_KINDS.test(foldWord(street.split(' ').at(-1) ?? '')) || NUMBER_LAST.test(street);
  const line = (isNumberLast ? [street, number] : [number, street]).filter((part) => part !== '').join(' ');
  return [line, town].filter((part) => part !== '').join(', ');
}

interface NumberedStreet extends GatheredStreet {
  numbers: NumberAt[];
  /** How many numbers have a hyphen, and how many of these only a block explains. */
  hyphens: number;
  blocks: number;
}

function addNumber(
  street: NumberedStreet,
  text: string,
  { isWorkedOut, ...at }: Omit<NumberAt, 'number'> & { isWorkedOut: true | undefined },
  reject: AddressSink['reject'],
): void {
  const number = parseHouseNumber(text);
  if (!number) {
    reject(text === '' ? 'a house has no number' : 'the house number cannot be read');
    return;
  }
  if (number.from !== number.to) street.hyphens++;
  if (countsInBlock(text)) street.blocks++;
  street.numbers.push({ number: isWorkedOut ? { ...number, suffix: WORKED_OUT } : number, ...at });
}

interface NumberAt {
  number: HouseNumber;
  latitude: number;
  longitude: number;
}

/** A house is often listed as an entrance and as a building: the first one counts. */
function housesOf(numbers: readonly NumberAt[], isBlock: boolean): House[] {
  const houses = numbers.flatMap(({ number, latitude, longitude }) =>
    keysOf(number, isBlock).map((key) => ({ key, latitude, longitude })),
  );
  const ordered = houses.toSorted((a, b) => a.key - b.key);
  return ordered.filter((house, index) => {
    const before = ordered[index - 1];
    return (
      !before ||
      before.key !== house.key ||
      Math.hypot(before.latitude - house.latitude, before.longitude - house.longitude) > SAME_HOUSE
    );
  });
}

const cut = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
const toMicro = (degrees: number): number => Math.round(degrees * MICRO_DEGREES);
const isPoint = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0);

/** `12;14`, `12, 14`: one building with several numbers. */
const SEVERAL = /[;,]/;
const MAX_CHARS = 200;
/** Each needs about 200 bytes while a file is read. */
const MAX_HOUSES = 5_000_000;
const MAX_NAMES = 500_000;
const MAX_OF_ONE_NAME = 50;
const HAS_LETTER = /\p{L}/u;
/** Streets of languages that write the number behind, beside those whose kind is a part of the word. */
const NUMBER_LAST = /^(?:am|an|im|in|zum|zur|auf|unter|via|viale|piazza|calle|plaza)\b|(?:straat|laan|plein|gracht)$/i;
/** Two points, of two numbers each. */
const MIN_LINE = 4;
/** So many of the numbers with hyphens must count within a block before the others do. */
const BLOCK_SHARE = 0.2;
/** In units of 1e-6 degrees, about a hundred meters. */
const SAME_HOUSE = 1000;
