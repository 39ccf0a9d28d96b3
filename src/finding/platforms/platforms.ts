/** `findDoors`: which platforms a page names, and the doors that follow. */

import { type PageSurvey, PROVIDER_KINDS } from '../../providers/index.ts';
import { HOSTED_CALENDARS } from './hosted-calendars.ts';
import { type Door, jsonld, type Platform } from './platform.ts';
import { SITE_PROGRAMS } from './site-programs.ts';

/** Sites where others than the venue list its events: each list is a source of its own. */
const TICKET_SELLERS: readonly Platform[] = (
  [
    ['eventbrite', /^https?:\/\/(?:www\.)?eventbrite\.(?:com?(?:\.\w\w)?|\w\w)\/(?:o|cc)\/[\w.%-]+/i],
    ['songkick', /^https?:\/\/(?:www\.)?songkick\.com\/(?:venues|artists)\/\d+[\w-]*/i],
    ['bandsintown', /^https?:\/\/(?:www\.)?bandsintown\.com\/(?:v|a)\/\d+[\w%-]*/i],
    ['dice', /^https?:\/\/(?:www\.)?dice\.fm\/(?:venue|promoters)\/[\w-]+/i],
    ['resident-advisor', /^https?:\/\/(?:\w+\.)?ra\.co\/(?:clubs|promoters)\/\d+/i],
    ['allevents', /^https?:\/\/(?:www\.)?allevents\.in\/org\/[\w-]+\/\d+/i],
    ['tixr', /^https?:\/\/(?:www\.)?tixr\.com\/groups\/[\w-]+/i],
    ['ticket-tailor', /^https?:\/\/(?:www\.)?(?:tickettailor\.com\/events|buytickets\.at)\/[\w-]+/i],
    ['humanitix', /^https?:\/\/events\.humanitix\.com\/host\/[\w-]+/i],
    ['see-tickets', /^https?:\/\/(?:wl\.)?seetickets\.us\/(?:wafform|venue)\/[\w-]+/i],
    ['eventim', /^https?:\/\/(?:www\.)?eventim\.(?:de|at|ch)\/(?:venue|city|artist)\/[\w/-]+/i],
    ['reservix', /^https?:\/\/(?:www\.)?reservix\.de\/(?:tickets-)?(?:venue|veranstaltungsort)[\w/-]+/i],
  ] as const
).map(([name, address]) => ({ name, address, isThirdParty: true, find: ([url]) => ({ doors: [jsonld(url)] }) }));

/** In the order in which they are looked for. */
export const PLATFORMS: readonly Platform[] = [...HOSTED_CALENDARS, ...SITE_PROGRAMS, ...TICKET_SELLERS];

export const isThirdParty = (platform: string): boolean =>
  PLATFORMS.some(({ name, isThirdParty: is = false }) => is && name === platform);

/** Whether a text is the name of a platform and nothing else, such as "Songkick". */
export const isPlatformName = (text: string): boolean => {
  const name = text.trim().toLowerCase().replace(/\s+/g, '-');
  return PLATFORMS.some((platform) => platform.name === name);
};

/** The doors of this page alone, best first, and pages that name more. */
export function findDoors(page: PageSurvey): { doors: Door[]; pages: string[] } {
  const addresses = addressesOf(page);
  const doors = new Map<string, Door>();
  const pages = new Set<string>();
  for (const platform of PLATFORMS) {
    for (const { match, title } of matchesOf(platform, addresses, page.marks)) {
      const found = platform.find(match, page);
      for (const url of found?.pages ?? []) pages.add(url);
      for (const door of doorsOf(found?.doors ?? [], platform, title)) {
        const key = `${door.kind} ${door.location}`;
        if (!doors.has(key)) doors.set(key, door);
      }
    }
  }
  return { doors: [...doors.values()], pages: [...pages] };
}

interface PageAddresses {
  /** Of the page itself and all that it links to or shows, each with the text of its link. */
  shown: ReadonlyMap<string, string>;
  /** With what scripts and templates name beside it: of a list of others, that is no proof. */
  all: ReadonlyMap<string, string>;
}

function addressesOf({ url, links, frames, scripts, named }: PageSurvey): PageAddresses {
  const shown = new Map<string, string>([[url, '']]);
  for (const link of links) if (!shown.get(link.url)) shown.set(link.url, link.text);
  for (const each of [...frames, ...scripts]) if (!shown.has(each)) shown.set(each, '');
  return { shown, all: new Map([...named.map((each) => [each, ''] as const), ...shown]) };
}

function matchesOf(
  { address, marks, isThirdParty }: Platform,
  { shown, all }: PageAddresses,
  text: string,
): { match: RegExpExecArray; title: string }[] {
  const found: { match: RegExpExecArray; title: string }[] = [];
  for (const [url, title] of isThirdParty ? shown : all) {
    const match = address?.exec(url);
    if (match) found.push({ match, title });
  }
  // A pattern that is not global counts once.
  const [once] = marks && !marks.global ? [marks.exec(text)] : [];
  const often = marks?.global ? [...text.matchAll(marks)].slice(0, MAX_MATCHES) : [];
  return [...found, ...[...often, ...(once ? [once] : [])].map((match) => ({ match, title: '' }))];
}

/** Several calendars of one embed are not ways into one: those are of other kinds. */
function doorsOf(found: readonly (readonly [string, string])[], { name: platform }: Platform, title: string): Door[] {
  const known = found.filter(([kind]) => PROVIDER_KINDS.includes(kind));
  const [first] = known;
  return known.map(([kind, location], at) => {
    const door = { kind, location, platform, title, rank: PLATFORM_RANK - at };
    return first && kind !== first[0] ? { ...door, way: first.join(' ') } : door;
  });
}

/** Before calendars that a page links to, and its own descriptions of events. */
const PLATFORM_RANK = 100;
const MAX_MATCHES = 20;
