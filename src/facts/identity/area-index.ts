/** Which area of a city a text names, as people and permit offices name areas: `Queen Anne`, `Downtown`, `Greenwood/Phinney`, `Alki Beach Park`. */

import { distanceInCity, type Point } from '../../values/distance.ts';
import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';
import { lastPart } from './place-name.ts';
import { GROUNDS, OPEN_GROUNDS, STREET_WORDS, WIDE_GROUNDS } from './place-words.ts';

export interface NamedArea extends Point {
  slug: string;
  name: string;
  /** The larger area it belongs to, such as a borough; null when that is not known. */
  partOf: string | null;
}

export interface FoundArea extends Point {
  /** Null when the area is larger than a neighborhood: a borough, or the city. */
  slug: string | null;
  /** The text names the area itself, not a park or square that is called after it. */
  isItself: boolean;
}

export interface AreaIndex {
  /** The answer depends on the text and the set of areas alone. */
  find(text: string): FoundArea | null;
  /** The area with which the name of a place ends, as the name has it; null for none, or where nothing else tells the place. */
  quarterOf(name: string): string | null;
  /** For what is in the city, and no area says where. */
  city: FoundArea;
}

export interface AreaCity extends Point {
  name: string;
  /** The slug of the area around the middle of the city; null outside all areas. */
  centerSlug: string | null;
}

export function createAreaIndex(areas: readonly NamedArea[], city: AreaCity): AreaIndex {
  const known = areas.map(readArea);
  const cityWords = nameWords(city.name).join(' ');
  const wholeCity: FoundArea = { slug: null, latitude: city.latitude, longitude: city.longitude, isItself: true };
  const center = areas.find(({ slug }) => slug === city.centerSlug);
  const boroughs = Map.groupBy(
    areas.filter(({ partOf }) => partOf !== null),
    ({ partOf }) => nameWords(partOf ?? '').join(' '),
  );

  const named = areasBy(known, ({ names }) => names);
  const aside = areasBy(known, ({ plains }) => plains);
  const among = (fits: (area: ReadArea) => boolean): FoundArea | null => middleOf(known.filter(fits).map(({ area }) => area));
  const borough = (key: string): FoundArea | null => {
    const parts = boroughs.get(key) ?? [];
    return parts.length < MIN_PARTS ? null : { ...meanOf(parts), slug: null, isItself: true };
  };

  function findOne(words: readonly string[]): FoundArea | null {
    const key = words.join(' ');
    if (key === '') return null;
    const exact = named(words.join(''));
    if (exact) return { ...exact, isItself: !isGrounds(words) };
    const isCenter = CENTERS.has(key) || CENTERS.has(withoutCity(words, cityWords));
    if (isCenter)
      return among(({ parts }) => parts.some((part) => CENTERS.has(part.join(' ')))) ?? (center ? asFound(center) : wholeCity);
    const larger = borough(key);
    if (larger) return larger;
    if (isOfCity(words, cityWords)) return wholeCity;
    return findInside(words);
  }

  /** By a part of a name: `Queen Anne` is in `East Queen Anne`, `University` in the `University District`, `Alki Beach Park` in `Alki`. */
  function findInside(words: readonly string[]): FoundArea | null {
    const plain = withoutSides(words).join('');
    const shorter = among(({ parts }) =>
      parts.some((part) => GROUNDS_WORDS.has(part.at(-1) ?? '') && part.slice(0, -1).join('') === plain),
    );
    if (shorter || !words.some(isNameWord)) return shorter;
    const other = aside(words.join('')) ?? named(plain);
    if (other) return other;
    const longer = among(({ parts }) => parts.some((part) => isRun(words, part)));
    if (longer) return longer;
    // A street is called after where it leads to.
    if (!GROUNDS_WORDS.has(words.at(-1) ?? '') || words.some((word) => ROADS.has(word))) return null;
    const calledAfter = among(({ parts }) => parts.some((part) => part.some(isNameWord) && isRunOfAll(part, words)));
    return calledAfter && { ...calledAfter, isItself: false };
  }

  const quarters = new Set(known.flatMap(({ parts }) => parts.filter((part) => !isWhole(part)).map((part) => part.join(''))));
  const answers = new Map<string, FoundArea | null>();
  return {
    quarterOf(name) {
      const { rest, last } = lastPart(name) ?? { rest: '', last: '' };
      return quarters.has(nameWords(last).join('')) && nameWords(rest).some(isNameWord) ? last : null;
    },
    city: wholeCity,
    find(text) {
      const asked = answers.get(text);
      if (asked !== undefined) return asked;
      const found = [text, ...partsOf(text)].reduce<FoundArea | null>((first, part) => first ?? findOne(nameWords(part)), null);
      answers.set(text, found);
      return found;
    },
  };
}

interface ReadArea {
  area: NamedArea;
  /** Its name and the names of its parts, without blanks. */
  names: readonly string[];
  /** The same without words for a side: `Queen Anne` of `East Queen Anne`. */
  plains: readonly string[];
  parts: readonly (readonly string[])[];
}

function readArea(area: NamedArea): ReadArea {
  const parts = [area.name, ...partsOf(area.name)].map((part) => nameWords(part)).filter((words) => words.length > 0);
  const plains = parts.map(withoutSides).filter((words) => words.some(isNameWord));
  return {
    area,
    parts,
    names: [...parts.map((words) => words.join('')), nameWords(area.slug).join('')],
    plains: plains.map((words) => words.join('')),
  };
}

/** The middle one of the areas that have a name. */
function areasBy(areas: readonly ReadArea[], namesOf: (area: ReadArea) => readonly string[]): (name: string) => FoundArea | null {
  const found = new Map<string, NamedArea[]>();
  for (const read of areas) for (const name of new Set(namesOf(read))) found.set(name, [...(found.get(name) ?? []), read.area]);
  return (name) => middleOf(found.get(name) ?? []);
}

/** The parts of a name for several areas: `Chelsea-Hudson Yards`, `Harrison/Denny-Blaine`, `East Harlem (North)`. */
function partsOf(name: string): string[] {
  const parts = name.split(PART_SIGNS).map((part) => part.trim());
  return parts.length > 1 ? parts.filter((part) => nameWords(part).some(isNameWord)) : [];
}

const withoutSides = (words: readonly string[]): readonly string[] => {
  const rest = words.filter((word) => !SIDES.has(word));
  return rest.some(isNameWord) ? rest : words;
};

const withoutCity = (words: readonly string[], cityWords: string): string => words.join(' ').replace(cityWords, '').trim();

/** The city, a side of it, or words for all of it: `West Seattle`, `Citywide`, `Multiple Neighborhoods`. */
function isOfCity(words: readonly string[], cityWords: string): boolean {
  const rest = withoutCity(words, cityWords);
  const others = rest.split(' ').filter((word) => word !== '');
  if (rest !== words.join(' ')) return others.every((word) => SIDES.has(word) || EVERYWHERE.has(word));
  return others.every((word) => EVERYWHERE.has(word));
}

/** A park or a square is a place, though an area may have its name. */
const isGrounds = (words: readonly string[]): boolean =>
  OPEN_GROUNDS.has(words.at(-1) ?? '') || WIDE_GROUNDS.has(words.at(-1) ?? '');

/** An area that is one place: a park, a stadium, an airport. Rooms and meadows are named by it, and branches are not. */
const isWhole = (words: readonly string[]): boolean =>
  isGrounds(words) || GROUNDS.has(words.at(-1) ?? '') || STADIUMS.has(words.at(-1) ?? '');

const STADIUMS = new Set(['stadium', 'arena', 'center']);

/** Whether words stand in a name at its start or its end. */
function isRun(words: readonly string[], name: readonly string[]): boolean {
  if (words.length >= name.length) return false;
  const [head, tail] = [name.slice(0, words.length), name.slice(-words.length)];
  return head.join(' ') === words.join(' ') || tail.join(' ') === words.join(' ');
}

/** Whether a name begins with an area and goes on with words for grounds alone. */
const isRunOfAll = (area: readonly string[], words: readonly string[]): boolean =>
  area.length < words.length &&
  area.every((word, index) => word === words[index]) &&
  words.slice(area.length).every((word) => GROUNDS_WORDS.has(word));

/** Of several areas the one that lies nearest to the middle of all. */
function middleOf(areas: readonly NamedArea[]): FoundArea | null {
  const [first] = areas;
  if (!first) return null;
  const mean = meanOf(areas);
  const nearest = areas.reduce((best, area) => {
    const closer = distanceInCity(mean, area) - distanceInCity(mean, best);
    return closer < 0 || (closer === 0 && area.slug < best.slug) ? area : best;
  }, first);
  return asFound(nearest);
}

const asFound = ({ slug, latitude, longitude }: NamedArea): FoundArea => ({ slug, latitude, longitude, isItself: true });

function meanOf(areas: readonly Point[]): Point {
  const mean = (values: readonly number[]) => Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(6));
  return { latitude: mean(areas.map(({ latitude }) => latitude)), longitude: mean(areas.map(({ longitude }) => longitude)) };
}

const PART_SIGNS = /\s*[/,;()|&]\s*|\s+(?:and|y|et|und)\s+|(?<=\p{L})\s*[-–—]\s*(?=\p{L})/u;

const ROADS = new Set([...STREET_WORDS].filter((word) => !OPEN_GROUNDS.has(word)));

/** Fewer areas are no borough. */
const MIN_PARTS = 2;

/** Words of the names of areas, written as people write them, kept in the spelling of `names`. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).flatMap(nameWords));
}

function phrasesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(',').map((phrase) => nameWords(phrase.trim()).join(' ')));
}

/** Sides and sizes of an area, before its name: `Lower Queen Anne`, `Mid-Beacon Hill`. */
const SIDES = wordsOf(
  `north south east west northeast northwest southeast southwest northern southern eastern western lower upper mid middle inner outer central old
   new greater near far little vieux haut bas alt neu nord sud est ouest ost`,
);
/** The middle of a city. */
const CENTERS = phrasesOf(
  `downtown, central business district, business district, cbd, city center, city centre, town center, the loop, downtown core, downtown area,
   centre ville, centre-ville, centro, centro historico, centro storico, innenstadt, stadtmitte, stadtzentrum, zentrum, centrum, binnenstad, keskusta`,
);
/** All of a city, or several of its areas. */
const EVERYWHERE = wordsOf(
  `citywide city wide multiple various several all many different other neighborhoods neighbourhoods locations districts areas boroughs places streets
   parks venues sites route`,
);
/** Grounds and ways: what is called after an area and so lies in it. */
const GROUNDS_WORDS = wordsOf(
  `park parks playground playfield playfields beach beaches square plaza garden gardens cemetery zoo green greenway greenbelt boardwalk promenade
   waterfront riverfront lakefront trail path pier dock marina harbor lake pond creek river reservoir island hill heights meadow woods forest ravine
   field fields ballfield stadium commons common mall esplanade bridge plaza district village campus grounds fairgrounds amphitheater pavilion
   street avenue boulevard road drive place lane way parkway terrace triangle circle oval overlook viewpoint center
   parc jardin quai place rue boulevard pont platz strasse ufer brucke plein plantsoen puisto tori katu parque plaza calle playa`,
);
