/** Describes a platform of calendars: how a page names it, and the doors behind. A new one is a row in a table of this folder. */

import type { PageSurvey } from '../../providers/index.ts';

/** Where a source may be: tried before anybody is told of it. */
export interface Door {
  kind: string;
  location: string;
  platform: string;
  /** Its name on the page. */
  title?: string;
  /** How sure it is that there is one; higher is tried first. */
  rank: number;
  /** If another door of this name has events, this one is another way to them and is not tried. */
  way?: string;
}

/** The finding of a row for one match. Of its doors the first are the best, and the others are other ways into the same calendar. */
export interface PlatformFinding {
  doors?: readonly (readonly [kind: string, location: string])[];
  /** Pages that name more. */
  pages?: readonly string[];
}

export interface Platform {
  name: string;
  /** Matched with each address that the page names, and with its own. */
  address?: RegExp;
  /** Matched with what the page is made of (`marks` of a survey), as often as it occurs. */
  marks?: RegExp;
  /** Null: this match says nothing. */
  find(match: RegExpExecArray, page: PageSurvey): PlatformFinding | null;
  /** A list of many venues' events, kept by others than the venue: it is not joined with the venue's own calendar. */
  isThirdParty?: true;
}

export const ical = (location: string): readonly ['ical', string] => ['ical', location];
export const jsonld = (location: string): readonly ['jsonld', string] => ['jsonld', location];
export const originOf = (url: string): string => new URL(url).origin;
