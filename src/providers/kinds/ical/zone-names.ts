/** What programs call time zones, into IANA names and offsets. Which of them the calendar describes itself is decided in `zones.ts`. */

import { ENGLISH_ZONES, EUROPEAN_ZONES, TRANSLATED_WINDOWS_ZONES, WINDOWS_ZONES } from './zone-words.ts';

/** The zone that a calendar is most likely in, by what programs call it. */
export interface HomeZone {
  name: string;
  /** Folded, with those of summer and winter: `est`, `eastern daylight time`. */
  names: ReadonlySet<string>;
  /** Milliseconds ahead of UTC, the least (standard time) first. */
  offsets: readonly number[];
}

/** Without quotes, escapes and entities, with one blank between words. */
export function plainZoneName(text: string): string {
  return text
    .slice(0, MAX_NAME_CHARS)
    .replace(/\\([,;\\/"])/g, '$1')
    .replace(/&amp;/gi, '&')
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”„]{1,8}/, '')
    .replace(/[\s"'“”]{1,8}$/, '');
}

/** IANA names that a name stands for without doubt, the most exact first; not all of them exist. */
export function exactZoneNames(plain: string): string[] {
  // §3.8.3.1: a name that begins with a solidus is of a registry, as in /freeassociation.sourceforge.net/Europe/Berlin.
  const isOfRegistry = plain.startsWith('/') || plain.includes('://');
  return [plain, ...(isOfRegistry ? tailsOf(plain) : [])].flatMap((name) => [...windowsName(name), name.replace(/ /g, '_')]);
}

/** Those that it is a misspelling of. */
export function respelledZoneNames(plain: string): string[] {
  return [...variantsOf(plain), ...tailsOf(plain).filter((name) => name.includes('/'))].flatMap((name) => {
    const underscored = name.replace(/ /g, '_');
    // Yahoo and others write `America-New_York` and `US-Eastern`, as a solidus may not stand in names of files.
    const region = REGION.exec(name);
    const rest = region && underscored.slice(region[0].length);
    const regional = region ? [`${region[1]}/${rest}`, `${region[1]}/${rest?.replace(/[-.:\\]/, '/')}`] : [];
    return [...windowsName(name), underscored, ...regional];
  });
}

function windowsName(name: string): string[] {
  const zone = WINDOWS.get(fold(name));
  return zone === undefined ? [] : [zone];
}

function tailsOf(plain: string): string[] {
  const parts = plain.split('/');
  return [3, 2, 1].filter((length) => length < parts.length).map((length) => parts.slice(-length).join('/'));
}

/** An IANA name, an offset in milliseconds, or null where nothing is known. For names that are neither exact nor described. */
export function guessZone(plain: string, home: HomeZone): string | number | null {
  const names = variantsOf(plain).flatMap((name) => [name, ...name.split(' - ')]);
  for (const name of names) {
    const folded = fold(name);
    if (home.names.has(folded)) return home.name;
    const known = WORDS.get(folded) ?? STEMS.get(stemOf(folded));
    if (known !== undefined) return known;
  }
  const exact = readOffset(EXACT_OFFSET.exec(plain));
  if (exact !== null) return exact;
  const offset = readOffset(NAMED_OFFSET.exec(plain));
  if (offset !== null) return byOffset(plain, offset, home);
  const cities = names.flatMap((name) => citiesByName().get(fold(name)) ?? []);
  return cities[0] ?? null;
}

/** IANA has these as offsets without a summer. People mean a zone by them: so they are exact only where nothing else fits. */
export function isAbbreviation(plain: string): boolean {
  return FIXED_ABBREVIATIONS.has(plain.toLowerCase());
}

/** `zone` is an IANA name that exists; `at` is a moment of the year that matters. */
export function createHomeZone(zone: string, at: number): HomeZone {
  const year = new Date(at).getUTCFullYear();
  const moments = [Date.UTC(year, 0, MID_MONTH), Date.UTC(year, 6, MID_MONTH)];
  const names = moments.flatMap((moment) =>
    NAME_STYLES.flatMap((timeZoneName) => {
      const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName }).formatToParts(moment);
      const name = fold(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '');
      return /^[a-z]/.test(name) && !/\d/.test(name) ? [name] : [];
    }),
  );
  return { name: zone, names: new Set(names), offsets: moments.map((moment) => offsetAt(zone, moment)).sort((a, b) => a - b) };
}

/** As written, without what programs put behind it: `(EST)`, and the number of a copy as in `Eastern Standard Time 2`. */
function variantsOf(plain: string): string[] {
  const bare = plain.replace(/ ?\([^()]*\)$/, '');
  return [...new Set([plain, bare, plain.replace(/ \d{1,3}$/, ''), bare.replace(/ \d{1,3}$/, '')])].filter((name) => name !== '');
}

/**
 * Outlook writes the offset of the winter before its words, in any language: the first city among them that has it counts, else the
 * home zone if it has it, in winter or in summer.
 */
function byOffset(plain: string, offset: number, home: HomeZone): string | number {
  const words = plain.replace(/\([^()]*\)/g, '').split(/[,;/]| - /);
  const city = words
    .flatMap((word) => citiesByName().get(fold(word)) ?? [])
    .slice(0, MAX_CITIES)
    .find((zone) => Math.min(...YEAR_HALVES.map((moment) => offsetAt(zone, moment))) === offset);
  return city ?? (home.offsets.includes(offset) ? home.name : offset);
}

function readOffset(match: RegExpExecArray | null): number | null {
  if (!match) return null;
  const [, sign, hours, minutes = '0'] = match;
  const size = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || size > MAX_OFFSET_MINUTES) return null;
  return (sign === '+' ? size : -size) * MS_PER_MINUTE;
}

function offsetAt(zone: string, moment: number): number {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).offsetNanoseconds / NS_PER_MS;
}

let cities: ReadonlyMap<string, string> | null = null;

/** Names of IANA zones alone, without their region. */
function citiesByName(): ReadonlyMap<string, string> {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [fold(zone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''), zone]),
  );
  return cities;
}

/** Without the offset that Outlook writes before the words, which is that of the winter. */
function fold(text: string): string {
  return text
    .replace(/^\s*\((?:UTC|GMT)[^)]*\)/i, '')
    .replace(/ and /gi, ' & ')
    .replaceAll('’', "'")
    .trim()
    .toLowerCase();
}

function stemOf(folded: string): string {
  return folded.replace(/ time$/, '').replace(/ (?:standard|daylight|summer)$/, '');
}

/** By name and by words; a name goes before the same words. */
const WINDOWS: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_ZONES.map(([, zone, words]) => [fold(words), zone] as const),
  ...WINDOWS_ZONES.map(([name, zone]) => [fold(name), zone] as const),
]);
const WORDS: ReadonlyMap<string, string> = new Map([
  ...EUROPEAN_ZONES.flatMap(([zone, , ...names]) => names.map((name) => [fold(name), zone] as const)),
  ...TRANSLATED_WINDOWS_ZONES.flatMap(([zone, ...names]) => names.map((name) => [fold(name), zone] as const)),
]);
const STEMS: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_ZONES.filter(([name]) => / Standard Time$/.test(name)).map(([name, zone]) => [stemOf(fold(name)), zone] as const),
  ...ENGLISH_ZONES.flatMap(([zone, ...stems]) => stems.map((stem) => [fold(stem), zone] as const)),
]);
const FIXED_ABBREVIATIONS: ReadonlySet<string> = new Set(['est', 'mst', 'hst']);
const REGION =
  /^(africa|america|antarctica|arctic|asia|atlantic|australia|brazil|canada|chile|etc|europe|indian|mexico|pacific|us)[-_ .:\\/]{1,2}(?=[a-z])/i;
/** `GMT+0200`, `UTC-5`, `+05:30`. */
const EXACT_OFFSET = /^(?:(?:utc|gmt) ?)?([+−-]) ?(\d{1,2})(?:[:.]?(\d{2}))?$/i;
/** `(UTC-05:00) …`, `GMT -0500 (Standard) / …`. */
const NAMED_OFFSET = /(?:utc|gmt) ?([+−-]) ?(\d{1,2})(?:[:.]?(\d{2}))?/i;
const NAME_STYLES = ['long', 'short', 'longGeneric', 'shortGeneric'] as const;
const MID_MONTH = 15;
/** Offsets of winters hardly change from year to year, and Outlook's are old. */
const YEAR_HALVES: readonly number[] = [Date.UTC(2026, 0, MID_MONTH), Date.UTC(2026, 6, MID_MONTH)];
const MAX_NAME_CHARS = 200;
/** Of one name; each costs a look at its offset. */
const MAX_CITIES = 8;
const MAX_OFFSET_MINUTES = 14 * 60;
const MS_PER_MINUTE = 60_000;
const NS_PER_MS = 1_000_000;
