/** `judgePage`: what a page says of where events are: doors to try, and pages to look at next. Pure. */

import type { PageLink, PageSurvey } from '../providers/index.ts';
import { bareHost, eventPagePrefixes, eventScore, isWorthALook, linkedDoors, saysOnlySubscribe } from './event-words.ts';
import type { Door } from './platforms/platform.ts';
import { findDoors, isPlatformName } from './platforms/platforms.ts';

export interface JudgedPage {
  doors: Door[];
  /** With a score each: higher first. */
  pages: (readonly [url: string, score: number])[];
  /** Beginnings of addresses of pages about one event, and one such page: it shows whether they can be read. */
  single: readonly { prefix: string; example: string }[];
  /** It asks for a password and shows nothing else. */
  isSignIn: boolean;
}

export function judgePage(page: PageSurvey): JudgedPage {
  const { url, title, form } = page;
  const alone = FORMS[form];
  if (alone) return { ...NOTHING, doors: [{ ...alone, location: url, title, rank: TOLD_RANK }] };
  if (form === 'sitemap') return judgeSitemap(page);
  if (form !== 'page') return NOTHING;
  const named = findDoors(page);
  if (page.hasPasswordField && named.doors.length === 0 && page.links.every((link) => eventScore(link) === 0))
    return { ...NOTHING, isSignIn: true };
  const all = [...named.doors, ...linkedDoors(page)].sort((a, b) => b.rank - a.rank);
  const doors = all.slice(0, MAX_DOORS).map((door) => ({ ...door, title: titleOf(door, title) }));
  if (page.hasSchemaEvents) doors.push({ kind: 'jsonld', location: url, platform: 'jsonld', title, rank: 50 });
  if (page.hasMicroformats) doors.push({ kind: 'microformats', location: url, platform: 'microformats', title, rank: 40 });
  const isList = eventScore({ url, text: title }) >= LIST_SCORE;
  const prefixes = eventPagePrefixes(page.links, new URL(url).host, isList);
  return {
    doors,
    pages: [...named.pages.map((each) => [each, NAMED_SCORE] as const), ...framesOf(page), ...listsOf(page, prefixes)],
    single: page.hasSchemaEvents ? [] : prefixes.slice(0, MAX_PREFIXES),
    isSignIn: false,
  };
}

/** The text of the link, unless it names no calendar: "Subscribe", "Songkick". */
function titleOf({ title = '' }: Door, page: string): string {
  return page !== '' && (saysOnlySubscribe(title) || isPlatformName(title)) ? page : title || page;
}

/** Frames are part of the page: those of the site, and those that sound of events. */
function framesOf({ frames, url }: PageSurvey): (readonly [string, number])[] {
  const likely = frames.filter((frame) => /^http/.test(frame) && (isOwn(frame, url) || eventScore({ url: frame, text: '' }) > 0));
  return likely.slice(0, MAX_FRAMES).map((frame) => [frame, FRAME_SCORE] as const);
}

/** Links of the site that sound of a list of events; pages about single events are none. */
function listsOf(
  { links, named, url }: PageSurvey,
  prefixes: readonly { prefix: string; count: number }[],
): (readonly [string, number])[] {
  const single = prefixes.filter(({ count }) => count >= MANY_PAGES);
  const isSingle = ({ pathname, search }: URL): boolean => single.some(({ prefix }) => (pathname + search).startsWith(prefix));
  const listsAmong = (among: readonly PageLink[]): (readonly [string, number])[] =>
    among
      .filter((link) => isOwn(link.url, url) && isWorthALook(link))
      .filter((link) => !isSingle(new URL(link.url)))
      .map((link) => [link.url, eventScore(link)] as const)
      .filter(([, score]) => score > 0);
  const linked = listsAmong(links);
  // Of a page that a script fills: where its menu leads.
  return linked.length > 0
    ? linked
    : listsAmong(named.map((each) => ({ url: each, rel: '', type: '', text: '' }))).slice(0, MAX_NAMED_LISTS);
}

/** Of an index the sitemaps of events, else the first; of a list its pages about single events. */
function judgeSitemap({ links, url }: PageSurvey): JudgedPage {
  const maps = links.filter((link) => /\.xml(?:\.gz)?$/i.test(new URL(link.url).pathname));
  const likely = maps.filter((link) => eventScore(link) > 0);
  const pages = (likely.length > 0 ? likely : maps).slice(0, MAX_MAPS).map((link) => [link.url, FRAME_SCORE] as const);
  return { ...NOTHING, pages, single: eventPagePrefixes(links, new URL(url).host).slice(0, MAX_PREFIXES) };
}

/** Links of the menu without a word of events: where nothing else is known. */
export function plainPagesOf({ links, url }: PageSurvey): string[] {
  const own = links.filter((link) => isOwn(link.url, url) && isWorthALook(link) && link.rel === '' && link.text !== '');
  return [...new Set(own.map((link) => link.url))].filter((each) => each !== url).slice(0, MAX_PLAIN_PAGES);
}

/** Of the same site: the same host, one below it, or one above. */
function isOwn(link: string, page: string): boolean {
  const [one, other] = [bareHost(new URL(link).host), bareHost(new URL(page).host)];
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

/** The doors of an address that answers with no page. */
const FORMS: Partial<Record<PageSurvey['form'], Pick<Door, 'kind' | 'platform'>>> = {
  calendar: { kind: 'ical', platform: 'ical' },
  feed: { kind: 'feed', platform: 'rss-event' },
  json: { kind: 'jsonld', platform: 'jsonld' },
};
const NOTHING: JudgedPage = { doors: [], pages: [], single: [], isSignIn: false };
/** A door that was seen to be one. */
const TOLD_RANK = 90;
const NAMED_SCORE = 10;
const FRAME_SCORE = 8;
/** Of one page, besides its own description of events: more than can be asked for. */
const MAX_DOORS = 200;
const MAX_FRAMES = 4;
const MAX_PREFIXES = 2;
const MAX_NAMED_LISTS = 3;
/** Of a page whose own name says that it lists events. */
const LIST_SCORE = 3;
const MAX_MAPS = 2;
const MAX_PLAIN_PAGES = 3;
/** From here on, pages with one beginning are about single events, not lists. */
const MANY_PAGES = 3;
