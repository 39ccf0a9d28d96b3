/** How simple the house is, in figures that may only fall: read from the tree of `src` alone. */

import { dirname } from 'node:path';
import { files, importsOf, read } from './source-tree.ts';

/** A figure, and the places behind it. */
export interface Measure {
  value: number;
  places: readonly string[];
}

const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file));
const texts = new Map(sources.map((file) => [file, read(file)]));

export function measureHouse(): Record<string, Measure> {
  const imports = sources.flatMap(importsOf);
  const folders = Map.groupBy(sources, dirname);
  const shapes = sources.flatMap((file) => shapesIn(file, texts.get(file) ?? ''));
  const few = [...folders].filter(([folder, inside]) => folder !== 'src' && inside.length < MIN_FILES);
  const climbing = sources.flatMap((file) => (texts.get(file)?.match(/from '\.\.\/\.\.\/\.\.\//g) ?? []).map(() => file));
  return {
    'event-shaped blocks': counted(shapes.filter(({ kind }) => kind === 'event').map(({ place }) => place)),
    'venue-shaped blocks': counted(shapes.filter(({ kind }) => kind === 'venue').map(({ place }) => place)),
    'refusal types': counted(placesOf(/^export (?:interface|type|class) (\w*(?:Refusal|Refused))\b/gm)),
    'files that set Retry-After': counted([...new Set(placesOf(SETS_RETRY_AFTER).map((place) => place.split(':')[0] ?? ''))]),
    'small files for one neighbor': counted(smallForOne(imports)),
    'folders with fewer than 4 files': counted(few.map(([folder]) => folder)),
    'imports of three levels up': counted(climbing),
    files: counted(sources),
    folders: counted([...folders.keys()]),
  };
}

const counted = (places: readonly string[]): Measure => ({ value: places.length, places });

const placesOf = (pattern: RegExp): string[] =>
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map((match) => `${file}:${text.slice(0, match.index).split('\n').length}`),
  );

/** Of 60 lines of code or fewer, with one importer, which is in the same folder. */
function smallForOne(imports: readonly { from: string; to: string }[]): string[] {
  const importers = Map.groupBy(imports, ({ to }) => to);
  return [...importers].flatMap(([file, by]) => {
    const from = new Set(by.map((each) => each.from));
    const [only = ''] = from;
    const isOwn = from.size === 1 && dirname(only) === dirname(file) && !isDoor(file) && !isDoor(only);
    return isOwn && linesOfCode(texts.get(file) ?? '') <= SMALL_LINES ? [`${file} (for ${only})`] : [];
  });
}

const isDoor = (file: string): boolean => file.endsWith('/index.ts');
const linesOfCode = (text: string): number =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;

/**
 * Blocks that write out the shape of a record: objects, types and lists with at least five of its names as their own members. A pattern
 * that takes a record apart is none.
 */
export function shapesIn(file: string, text: string): { kind: 'event' | 'venue'; place: string }[] {
  return blocksOf(text).flatMap(({ names, line }) =>
    SHAPES.flatMap(([kind, fields]) => {
      const known = fields.filter((spellings) => spellings.some((name) => names.has(name)));
      return known.length < MIN_NAMES ? [] : [{ kind, place: `${file}:${line} (${known.length} names)` }];
    }),
  );
}

interface Block {
  line: number;
  names: Set<string>;
  /** Where its bracket stands among the tokens, and what stood before it. */
  before: string;
  isPlain: boolean;
}

/** Brackets with the names of their own members, in the order in which they close. */
function blocksOf(text: string): Block[] {
  const tokens = [...text.matchAll(TOKEN)].filter(([token]) => !/^\/[/*]/.test(token));
  const open: Block[] = [];
  const blocks: Block[] = [];
  for (const [at, match] of tokens.entries()) {
    const [token] = match;
    const before = tokens[at - 1]?.[0] ?? '';
    const after = tokens[at + 1]?.[0] ?? '';
    if (token === '{' || token === '[') {
      open.push({ line: text.slice(0, match.index).split('\n').length, names: new Set(), before, isPlain: true });
    } else if (token === '}' || token === ']') {
      const block = open.pop();
      if (block && !isPattern(block, after)) blocks.push(block);
    } else {
      const block = open.at(-1);
      const name = /^['"]/.test(token) ? token.slice(1, -1) : token;
      if (!block || !/^[\w$]+$/.test(name) || !STARTS.has(before) || !ENDS.has(after)) continue;
      block.names.add(name);
      if (after === ':' || after === '?') block.isPlain = false;
    }
  }
  return blocks;
}

/** `const { title, … } = event` and `({ title, … }) =>`. */
const isPattern = ({ before, isPlain }: Block, after: string): boolean =>
  after === '=' || (isPlain && (before === '(' || before === 'const') && after !== ';');

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[\w$]+|=>|===?|!==?|\S/g;
const STARTS: ReadonlySet<string> = new Set(['{', '[', ',', ';']);
const ENDS: ReadonlySet<string> = new Set([':', '?', ',', '}', ']', '(']);

const SHAPES: readonly ['event' | 'venue', readonly (readonly string[])[]][] = [
  [
    'event',
    [
      ['title'],
      ['category'],
      ['isFree', 'is_free'],
      ['priceMin', 'price_min'],
      ['startDatetime', 'startsAt', 'starts_at', 'start'],
      ['endDatetime', 'endsAt', 'ends_at', 'end'],
      ['imageUrl', 'image_url', 'image'],
      ['description'],
      ['performers'],
      ['tags'],
      ['status'],
    ],
  ],
  [
    'venue',
    [
      ['name'],
      ['address'],
      ['latitude'],
      ['longitude'],
      ['capacityTier', 'capacity_tier', 'capacity'],
      ['neighborhood'],
      ['website'],
      ['isVerified', 'is_verified', 'verified'],
      ['openingHours', 'opening_hours', 'hours'],
      ['parking'],
    ],
  ],
];
const MIN_NAMES = 5;
const MIN_FILES = 4;
const SMALL_LINES = 60;
/** A header that is written, not one that is read. */
const SETS_RETRY_AFTER = /(?:'retry-after'\s*\]?\s*:(?!\s*\{)|[[(]\s*'retry-after'\s*,\s*[^\s'\])]|(?<![=!])=\s*'retry-after')/gi;
