/** Gathers by street everything that is read from a file of any format: houses with their points, and lines of streets. */

import { countsInBlock, type HouseNumber, isWorkedOut, keysOf, parseHouseNumber, WORKED_OUT } from '../house-number.ts';
import { type House, type Line, MICRO_DEGREES } from '../packed-street.ts';

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

export interface AddressSink {
  house(house: ListedHouse): void;
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

export interface GatheredAddresses {
  streets: GatheredStreet[];
  houses: number;
  /** How often something was rejected, by reason. */
  rejected: Map<string, number>;
}

/**
 * `finish` gives what was gathered.
 * @param isWanted of a house, or of the first point of a street: what is not is passed over.
 */
export function createSink(
  isWanted: (point: { latitude: number; longitude: number }) => boolean = () => true,
): AddressSink & { finish(): GatheredAddresses } {
  const streets = new Map<string, NumberedStreet>();
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
      if (houses++ >= MAX_HOUSES)
        throw new RangeError(`it has more than ${MAX_HOUSES} houses; cut the town out of the file first`);
      const found = streetOf(name, cut(town), cut(postcode).split('-')[0] ?? '');
      const at = { latitude: toMicro(latitude), longitude: toMicro(longitude) };
      for (const each of number.split(SEVERAL)) addNumber(found, each.trim(), { ...at, isWorkedOut }, reject);
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
      const used = [...streets.values()].filter(({ numbers, lines }) => numbers.length + lines.length > 0);
      const gathered = used.map(({ numbers, blocks, hyphens, ...street }) => ({
        ...street,
        houses: housesOf(numbers, blocks > hyphens * BLOCK_SHARE),
      }));
      return {
        streets: gathered,
        houses: gathered.reduce((sum, { houses }) => sum + houses.filter(({ key }) => !isWorkedOut(key)).length, 0),
        rejected,
      };
    },
  };
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
/** Two points, of two numbers each. */
const MIN_LINE = 4;
/** So many of the numbers with hyphens must count within a block before the others do. */
const BLOCK_SHARE = 0.2;
/** In units of 1e-6 degrees, about a hundred meters. */
const SAME_HOUSE = 1000;
