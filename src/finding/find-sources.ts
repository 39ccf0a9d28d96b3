/** `findSources`: the sources of events that a web address leads to. */

import type { PageSurvey } from '../providers/index.ts';
import { createAsker } from './ask-politely.ts';
import { bareHost, eventPagePrefixes, eventScore, isWorthALook, linkedDoors, webAddressOf } from './event-words.ts';
import { joinCandidates } from './join-candidates.ts';
import type { Finding, FindingContext } from './model.ts';
import { explain, type Obstacles } from './obstacles.ts';
import type { Door } from './platforms/platform.ts';
import { findDoors } from './platforms/platforms.ts';
import { type ReadDoor, readDoor } from './read-door.ts';

/**
 * Looks at the page, at what it links to and at the platforms that it names, and reads every calendar that they lead to. Never rejects for
 * anything that the site or the network does: `notes` says it.
 */
export async function findSources(address: string, context: FindingContext): Promise<Finding> {
  const starts = startsOf(address);
  const wrong = starts.length === 0 ? `wanted a web address, got ${JSON.stringify(address)}` : refusalOf(starts, context);
  if (wrong !== null) return { candidates: [], notes: [wrong], isReached: false, requests: 0 };
  const search = createSearch(context);
  const start = await search.begin(starts);
  if (start) await search.lookAround(start);
  const candidates = joinCandidates(search.read);
  const notes = explain({ asker: search.asker, start, signIn: search.signIn, candidates } satisfies Obstacles);
  return { candidates, notes, isReached: start !== null, requests: search.asker.sent() };
}

/** The address as it may be meant: a name alone is tried over https first. Empty for what is none. */
function startsOf(address: string): string[] {
  const text = webAddressOf(address.trim());
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? [new URL(text).href] : [];
  const isName = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u.test(text);
  if (!isName || !URL.canParse(`https://${text}`)) return [];
  return [new URL(`https://${text}`).href, new URL(`http://${text}`).href];
}

function refusalOf(starts: readonly string[], { outbound }: FindingContext): string | null {
  const checked = outbound.checkAddress(starts[0] ?? '');
  return checked.ok ? null : checked.reason;
}

/** What is known while one address is looked at. */
function createSearch(context: FindingContext) {
  const asker = createAsker(context);
  const read: ReadDoor[] = [];
  const tried = new Set<string>();
  const looked = new Set<string>();
  const doors: Door[] = [];
  const pages = new Map<string, number>();
  const search = { asker, read, signIn: false, begin, lookAround };

  async function begin(starts: readonly string[]): Promise<PageSurvey | null> {
    for (const url of starts) {
      const page = await look(url);
      if (page) return page;
    }
    return null;
  }

  async function lookAround(start: PageSurvey): Promise<void> {
    const home = new URL('/', start.url).href;
    const isDeep = home !== start.url && !doors.some(({ rank }) => rank >= PLATFORM_RANK);
    await tryDoors(PLATFORM_RANK);
    if (search.signIn && doors.length === 0) return;
    for (let count = 0; count < MAX_PAGES; count++) {
      const next = nextPage();
      if (next === null) break;
      await look(next);
      await tryDoors(PLATFORM_RANK);
    }
    await tryDoors(0);
    if (hasEvents()) return;
    if (isDeep && start.form === 'page') await lookAgain([home]);
    if (!hasEvents() && start.form === 'page') await lookAgain([new URL('/sitemap.xml', start.url).href]);
    if (!hasEvents() && start.form === 'page') await lookAgain(plainPagesOf(start));
  }

  async function lookAgain(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      if (hasEvents()) return;
      await look(url);
      const next = nextPage();
      if (next !== null) await look(next);
      await tryDoors(0);
    }
  }

  /** Null where there is no page. */
  async function look(url: string): Promise<PageSurvey | null> {
    looked.add(url);
    const answered = await asker.ask(url, ACCEPT);
    if (!answered.ok || looked.has(`survey ${answered.response.url}`)) return null;
    looked.add(`survey ${answered.response.url}`);
    looked.add(answered.response.url);
    const page = await context.reader.readPage(answered.response).catch(() => null);
    if (page) await note(page);
    return page;
  }

  async function note(page: PageSurvey): Promise<void> {
    const { url } = page;
    const whole: Omit<Door, 'kind' | 'platform'> = { location: url, title: page.title, rank: PLATFORM_RANK };
    if (page.form === 'calendar') doors.push({ ...whole, kind: 'ical', platform: 'ical' });
    if (page.form === 'feed') doors.push({ ...whole, kind: 'feed', platform: 'rss-event' });
    if (page.form === 'json') doors.push({ ...whole, kind: 'jsonld', platform: 'jsonld' });
    if (page.form === 'sitemap') return noteSitemap(page);
    if (page.form !== 'page') return;
    const named = findDoors(page);
    const isWall = page.hasPasswordField && page.links.every((link) => eventScore(link) === 0) && named.doors.length === 0;
    search.signIn ||= isWall;
    if (isWall) return;
    doors.push(...named.doors.map((door) => ({ ...door, title: door.title || page.title })));
    doors.push(...linkedDoors(page).map((door) => ({ ...door, title: door.title || page.title })));
    if (page.hasSchemaEvents) doors.push({ kind: 'jsonld', location: url, platform: 'jsonld', title: page.title, rank: 50 });
    if (page.hasMicroformats)
      doors.push({ kind: 'microformats', location: url, platform: 'microformats', title: page.title, rank: 40 });
    for (const more of named.pages) addPage(more, 10);
    for (const frame of page.frames.slice(0, MAX_FRAMES))
      if (isOwn(frame, url) || eventScore({ url: frame, text: '' }) > 0) addPage(frame, 8);
    const single = eventPagePrefixes(page.links, new URL(url).host).filter(({ count }) => count >= MANY_PAGES);
    for (const link of page.links) {
      if (!isWorthALook(link) || !isOwn(link.url, url)) continue;
      const isSingle = single.some(({ prefix }) => new URL(link.url).pathname.startsWith(prefix));
      if (!isSingle) addPage(link.url, eventScore(link));
    }
    if (!page.hasSchemaEvents) await notePrefixes(page, url);
  }

  /** Pages of single events, where the list itself describes none. */
  async function notePrefixes(page: PageSurvey, list: string): Promise<void> {
    for (const { prefix, example } of eventPagePrefixes(page.links, new URL(page.url).host).slice(0, MAX_PREFIXES)) {
      if (looked.has(`prefix ${prefix}`)) continue;
      looked.add(`prefix ${prefix}`);
      const answered = await asker.ask(example, ACCEPT);
      const shown = answered.ok ? await context.reader.readPage(answered.response).catch(() => null) : null;
      if (!shown?.hasSchemaEvents) continue;
      const location = `${list.replace(/#.*$/, '')}#follow=${prefix}`;
      doors.push({ kind: 'jsonld', location, platform: 'jsonld', title: page.title, rank: 60 });
    }
  }

  /** Of an index those of events; of a list its pages about single events. */
  async function noteSitemap(page: PageSurvey): Promise<void> {
    const maps = page.links.filter(({ url }) => /\.xml$/i.test(new URL(url).pathname));
    const likely = maps.filter((link) => eventScore(link) > 0);
    for (const { url } of (likely.length > 0 ? likely : maps).slice(0, MAX_MAPS)) {
      if (!looked.has(url)) await look(url);
    }
    await notePrefixes(page, page.url);
  }

  function addPage(url: string, score: number): void {
    if (score > 0 && !pages.has(url)) pages.set(url, score);
  }

  function nextPage(): string | null {
    const [best] = [...pages].filter(([url]) => !looked.has(url)).sort((a, b) => b[1] - a[1]);
    return best?.[0] ?? null;
  }

  /** Of this rank and higher, the highest first. */
  async function tryDoors(rank: number): Promise<void> {
    const open = () => doors.filter((door) => door.rank >= rank && !tried.has(keyOf(door))).sort((a, b) => b.rank - a.rank);
    for (let [door] = open(); door; [door] = open()) {
      tried.add(keyOf(door));
      const { way } = door;
      if (way !== undefined && read.some((each) => keyOf(each.door) === way && each.events.length > 0)) continue;
      const found = await readDoor(door, asker, context);
      if (found) read.push(found);
    }
  }

  const hasEvents = (): boolean => read.some(({ events }) => events.length > 0);
  return search;
}

/** Links of the menu without a word of events: where nothing else is known. */
function plainPagesOf({ links, url }: PageSurvey): string[] {
  const own = links.filter((link) => isOwn(link.url, url) && isWorthALook(link) && link.rel === '' && link.text !== '');
  return [...new Set(own.map((link) => link.url))].filter((each) => each !== url).slice(0, MAX_PLAIN_PAGES);
}

/** Of the same site: the same host, one below it, or a sister under the same name. */
function isOwn(link: string, page: string): boolean {
  const [one, other] = [new URL(link), new URL(page)].map(({ host }) => bareHost(host));
  if (one === undefined || other === undefined) return false;
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

const keyOf = ({ kind, location }: Door): string => `${kind} ${location}`;

/** For `openOutbound`: what a request of finding may take. */
export const FINDING_LIMITS = { bodyBytes: 5 * 1024 * 1024, codedBytes: 5 * 1024 * 1024, totalMs: 15_000 } as const;
const ACCEPT = 'text/html, application/xhtml+xml, text/calendar;q=0.9, application/xml;q=0.9, */*;q=0.5';
const PLATFORM_RANK = 70;
const MAX_PAGES = 8;
const MAX_FRAMES = 4;
const MAX_PREFIXES = 2;
const MAX_MAPS = 2;
/** From here on, pages with one beginning are about single events, not lists. */
const MANY_PAGES = 3;
const MAX_PLAIN_PAGES = 3;
