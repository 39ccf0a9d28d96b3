/** A provider's title into the event's name and what else it says. */

import type { EventStatus } from '../../records/index.ts';
import { LIMITS } from '../limits.ts';
import type { RepairCode } from '../model.ts';
import { cutAtWord, oneLine } from '../text.ts';
import { softenCase } from './soften-case.ts';
import { gravest } from './status-grammar.ts';
import { cutEnding, type TicketKind, type TitlePlace } from './title-endings.ts';
import { type TitleStatus, takeStatus } from './title-status.ts';

export interface CleanTitle {
  /** '' when the listing has none. */
  title: string;
  status: EventStatus | null;
  movedTo: TitleStatus['movedTo'];
  movedFrom: TitleStatus['movedFrom'];
  tags: string[];
  /** Null for a listing of an event; a pass counts more than a kind of ticket. */
  ticket: TicketKind | null;
  repairs: RepairCode[];
}

/** A clean title is not changed by cleaning it again. */
export function cleanTitle(raw: string | null, place: TitlePlace): CleanTitle {
  const result: CleanTitle = { title: '', status: null, movedTo: null, movedFrom: null, tags: [], ticket: null, repairs: [] };
  const fix = (code: RepairCode) => {
    if (!result.repairs.includes(code)) result.repairs.push(code);
  };
  let title = [...oneLine(raw)].slice(0, MAX_READ).join('');
  // Each step shortens the title or takes its capitals, so this comes to an end.
  for (let before = ''; before !== title; ) {
    before = title;
    const marked = takeStatus(title, place.city.locale);
    if (marked.status !== null) {
      result.status = gravest(result.status, marked.status);
      result.movedTo ??= marked.movedTo;
      result.movedFrom ??= marked.movedFrom;
      if (marked.title !== title) fix('status_from_title');
    }
    title = trimmed(marked.title);
    const ending = cutEnding(title, place);
    if (ending) {
      title = trimmed(ending.title);
      fix(ending.repairs);
      addTag(result.tags, ending.tag);
      result.ticket = strongest(result.ticket, ending.ticket);
    }
    const cut = cutAtWord(title, LIMITS.title);
    if (cut !== title) fix('text_cut');
    const soft = softenCase(cut, place.city.locale);
    if (soft !== cut) fix('case_softened');
    title = soft;
  }
  return { ...result, title };
}

function addTag(tags: string[], tag: string | null): void {
  if (tag !== null && !tags.includes(tag)) tags.push(tag);
}

const strongest = (a: TicketKind | null, b: TicketKind | null | undefined): TicketKind | null => (a === 'pass' ? a : (b ?? a));

/** Signs that led to something which is gone now. */
function trimmed(title: string): string {
  return title
    .replace(/^[\s,;:•–—-]+(?=\S)|(?<=\S)(?:[\s,;:•–—-]|\s\|)+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Of a title, in code points: a longer one is a text in the wrong place. */
const MAX_READ = 1000;
