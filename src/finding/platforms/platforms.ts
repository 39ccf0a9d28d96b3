/** `findDoors`: which platforms a page names, and the doors that follow. */

import { type PageSurvey, PROVIDER_KINDS } from '../../providers/index.ts';
import { HOSTED_CALENDARS } from './hosted-calendars.ts';
import type { Door, Platform } from './platform.ts';
import { SITE_PROGRAMS } from './site-programs.ts';
import { TICKET_SELLERS } from './ticket-sellers.ts';

const PLATFORMS: readonly Platform[] = [...HOSTED_CALENDARS, ...SITE_PROGRAMS, ...TICKET_SELLERS];

export const isThirdParty = (platform: string): boolean =>
  PLATFORMS.some(({ name, isThirdParty: is = false }) => is && name === platform);

/** Those of this page alone, best first, and pages that name more. */
export function findDoors(page: PageSurvey): { doors: Door[]; pages: string[] } {
  const doors = new Map<string, Door>();
  const pages = new Set<string>();
  const named = new Map<string, string>([[page.url, '']]);
  for (const { url, text } of page.links) if (!named.get(url)) named.set(url, text);
  for (const url of [...page.frames, ...page.scripts]) if (!named.has(url)) named.set(url, '');
  const note = (platform: Platform, match: RegExpExecArray, title: string): void => {
    const { doors: found = [], pages: more = [] } = platform.find(match, page) ?? {};
    for (const url of more) pages.add(url);
    const known = found.filter(([kind]) => PROVIDER_KINDS.includes(kind));
    for (const [at, [kind, location]] of known.entries()) {
      const door = { kind, location, platform: platform.name, title, rank: PLATFORM_RANK - at };
      // Several calendars of one embed are not ways into one.
      const way = kind === known[0]?.[0] ? {} : { way: `${known[0]?.[0]} ${known[0]?.[1]}` };
      if (!doors.has(`${kind} ${location}`)) doors.set(`${kind} ${location}`, { ...door, ...way });
    }
  };
  for (const platform of PLATFORMS) {
    if (platform.address) {
      for (const [url, title] of named) {
        const match = platform.address.exec(url);
        if (match) note(platform, match, title);
      }
    }
    for (const match of platform.marks ? matches(page.marks, platform.marks) : []) note(platform, match, '');
  }
  return { doors: [...doors.values()], pages: [...pages] };
}

function matches(text: string, pattern: RegExp): RegExpExecArray[] {
  if (pattern.global) return [...text.matchAll(pattern)].slice(0, MAX_MATCHES);
  const match = pattern.exec(text);
  return match ? [match] : [];
}

/** Before calendars that a page links to, and its own descriptions of events. */
const PLATFORM_RANK = 100;
const MAX_MATCHES = 20;
