/** `searchFrom`: looks around a site, tries every door that it finds, and stops when there is no more to hope for. */

import type { PageSurvey, SourceResponse } from '../providers/index.ts';
import type { Asker } from './ask-politely.ts';
import { judgePage, plainPagesOf } from './judge-page.ts';
import type { FindingContext } from './model.ts';
import type { Door } from './platforms/platform.ts';
import { type ReadDoor, readDoor } from './read-door.ts';

export interface SiteSearch {
  /** Null: the address could not be read. */
  start: PageSurvey | null;
  /** The media type of the answer, such as `image/png`; '' for an empty answer or an unnamed type; null: there was no answer. */
  answeredAs: string | null;
  read: ReadDoor[];
  /** Only the beginning of the answer was read. */
  isCut: boolean;
  /** A page asks for a password and shows nothing else. */
  signIn: boolean;
}

interface SearchState extends SiteSearch {
  asker: Asker;
  context: FindingContext;
  /** Doors that were found, tried or not. */
  doors: Door[];
  tried: Set<string>;
  /** Pages to look at, with their score. */
  pages: Map<string, number>;
  looked: Set<string>;
}

/** `starts`: the address as it may be meant; the first that answers counts. */
export async function searchFrom(starts: readonly string[], asker: Asker, context: FindingContext): Promise<SiteSearch> {
  const state: SearchState = {
    start: null,
    answeredAs: null,
    isCut: false,
    read: [],
    signIn: false,
    asker,
    context,
    doors: [],
    tried: new Set(),
    pages: new Map(),
    looked: new Set(),
  };
  for (const url of starts) {
    if (state.answeredAs !== null) break;
    state.start = await look(state, url);
    const answered = await asker.ask(url, ACCEPT);
    if (!answered.ok) continue;
    state.isCut = answered.isCut;
    state.answeredAs = answered.response.body.length === 0 ? '' : typeOf(answered.response);
  }
  if (state.start && !(state.signIn && state.doors.length === 0)) await lookAround(state, state.start);
  return state;
}

async function lookAround(state: SearchState, start: PageSurvey): Promise<void> {
  await tryDoors(state, CERTAIN_RANK);
  // A calendar, or a page of a platform: the rest of that host is of other people.
  const isSite =
    start.form === 'page' && state.doors.every(({ location, rank }) => rank < CERTAIN_RANK || location !== start.url);
  for (let count = 0; count < MAX_PAGES && isSite; count++) {
    const next = nextPage(state);
    if (next === null) break;
    await look(state, next);
    await tryDoors(state, CERTAIN_RANK);
  }
  await tryDoors(state, 0);
  if (!isSite) return;
  await lookFurther(state, [new URL('/', start.url).href]);
  if (hasEvents(state) || state.signIn) return;
  await lookFurther(state, [...(await sitemapsOf(start.url, state)), ...plainPagesOf(start)]);
}

/** Page by page, until there are events. */
async function lookFurther(state: SearchState, pages: readonly string[]): Promise<void> {
  for (const url of pages) {
    if (hasEvents(state) || state.signIn) return;
    if (state.looked.has(url)) continue;
    await look(state, url);
    const next = nextPage(state);
    if (next !== null) await look(state, next);
    await tryDoors(state, 0);
  }
}

/** The sitemaps that robots.txt names (sitemaps.org, "Submitting your Sitemap via robots.txt"), else the one with the usual name. */
async function sitemapsOf(site: string, { asker }: SearchState): Promise<string[]> {
  const robots = await asker.ask(new URL('/robots.txt', site).href, 'text/plain');
  const text = robots.ok ? new TextDecoder().decode(robots.response.body.subarray(0, MAX_ROBOTS_BYTES)) : '';
  const named = Array.from(text.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(https?:\S+)/gim), ([, url = '']) => url).filter((url) =>
    URL.canParse(url),
  );
  return named.length > 0 ? named.slice(0, MAX_SITEMAPS) : [new URL('/sitemap.xml', site).href];
}

/** Null where there is no page, or one that was looked at already. */
async function look(state: SearchState, url: string): Promise<PageSurvey | null> {
  const { asker, context, looked } = state;
  looked.add(url);
  const page = await pageAt(url, asker, context);
  if (!page || looked.has(`page ${page.url}`)) return null;
  looked.add(page.url).add(`page ${page.url}`);
  const { doors, pages, single, isSignIn } = judgePage(page);
  state.signIn ||= isSignIn;
  state.doors.push(...doors);
  for (const [each, score] of pages) state.pages.set(each, Math.max(score, state.pages.get(each) ?? 0));
  for (const { prefix, example } of single) {
    if (looked.has(`single ${prefix}`)) continue;
    looked.add(`single ${prefix}`);
    const shown = await pageAt(example, asker, context);
    // The fragment is read as parameters, whose list has commas.
    const location = `${page.url.replace(/#.*$/, '')}#follow=${prefix.replace(/[%&+,]/g, encodeURIComponent)}`;
    if (shown?.hasSchemaEvents) state.doors.push({ kind: 'jsonld', location, platform: 'jsonld', title: page.title, rank: 60 });
  }
  return page;
}

async function pageAt(url: string, asker: Asker, { reader }: FindingContext): Promise<PageSurvey | null> {
  const answered = await asker.ask(url, ACCEPT);
  // A page that cannot be read in time leads nowhere.
  return answered.ok ? reader.readPage(answered.response).catch(() => null) : null;
}

const typeOf = ({ contentType }: SourceResponse): string => contentType?.split(';')[0]?.trim().toLowerCase() ?? '';

function nextPage({ pages, looked }: SearchState): string | null {
  const [best] = [...pages].filter(([url]) => !looked.has(url)).sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? null;
}

/** Of this rank and higher, the highest first. */
async function tryDoors(state: SearchState, rank: number): Promise<void> {
  const open = state.doors.filter((door) => door.rank >= rank && !state.tried.has(keyOf(door)));
  for (const door of open.sort((a, b) => b.rank - a.rank)) {
    if (state.tried.has(keyOf(door))) continue;
    state.tried.add(keyOf(door));
    const { way } = door;
    if (way !== undefined && state.read.some((each) => keyOf(each.door) === way && each.events.length > 0)) continue;
    // Without requests left, what was asked for before is read all the same.
    const found = await readDoor(door, state.asker, state.context);
    if (found) state.read.push(found);
  }
}

const hasEvents = ({ read }: SearchState): boolean => read.some(({ events }) => events.length > 0);
const keyOf = ({ kind, location }: Door): string => `${kind} ${location}`;

const ACCEPT = 'text/html, application/xhtml+xml, text/calendar;q=0.9, application/xml;q=0.9, */*;q=0.5';
/** Of doors that are tried before another page is looked at. */
const CERTAIN_RANK = 70;
const MAX_PAGES = 8;
const MAX_SITEMAPS = 2;
const MAX_ROBOTS_BYTES = 500 * 1024;
