/** What a title says about the ticket rather than the event: `Digital Lottery - Hamlet`, `Owls v. Hawks * Premium Seating *`, `Goose - 2 Day Pass`. */

/** `part`: a lottery or a package, a listing of its event. `pass`: for several days, a listing of none of them. */
export type TicketKind = 'part' | 'pass';

export interface TicketTitle {
  /** Of the event. */
  title: string;
  ticket: TicketKind | null;
}

/** Null if the title names no ticket, or nothing else. */
export function cutTicketKind(title: string): TicketTitle | null {
  if (!ANY_TICKET.test(title)) return null;
  for (const { pattern, ticket } of TICKETS) {
    const match = pattern.exec(title);
    if (!match) continue;
    const left = `${title.slice(0, match.index)}${title.slice(match.index + match[0].length)}`;
    if ((left.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2) return { title: left, ticket };
  }
  return null;
}

const LOTTERY =
  '(?:(?:standard|senior|ada|accessible|digital|general|in[- ]person|online|mobile|ticket|rush|\\d+\\+|[/&])[\\s/]*)+lottery';
const UPGRADE = '(?:vip|meet (?:and|&) greet|early entry|fast lane|club) (?:upgrade|package|experience|access only)s?';

const TICKETS: readonly { pattern: RegExp; ticket: TicketKind | null }[] = [
  { pattern: new RegExp(`^${LOTTERY}\\s*[-–—:|]\\s*`, 'iu'), ticket: 'part' },
  { pattern: new RegExp(`\\s*[-–—:|([]\\s*${LOTTERY}\\s*[)\\]]?\\s*$`, 'iu'), ticket: 'part' },
  { pattern: /^(?:rush tickets|student rush|lottery (?:entry|tickets?))\s*[-–—:|]\s*/iu, ticket: 'part' },
  { pattern: /\s*\*\s*premium (?:seating|seats?)\s*\*\s*$|\s*[-–—|(]\s*premium seating\s*\)?\s*$/iu, ticket: 'part' },
  {
    pattern: /^pinstripe pass\s*[-–—:*|]\s*|^(?:\p{L}+ ){0,2}(?:hospitality|vip) (?:pass|package)s?\s*[-–—:*|]\s*/iu,
    ticket: 'part',
  },
  { pattern: new RegExp(`\\s*[-–—:|(]\\s*${UPGRADE}\\s*\\)?\\s*$|^${UPGRADE}\\s*[-–—:|]\\s*`, 'iu'), ticket: 'part' },
  { pattern: /^\s*(?:\d|two|three|four)[- ]?day (?:pass|ticket)s?\s*[-–—:|]\s*/iu, ticket: 'pass' },
  {
    pattern:
      /\s*(?:[-–—:|]\s*|[([]\s*)(?:(?:\d|two|three|four)[- ]?days?|(?:full )?weekend) (?:pass|ticket)(?:es|s)?\s*[)\]]?\s*$/iu,
    ticket: 'pass',
  },
  {
    pattern:
      /\s*(?:[-–—:|]\s*|[([]\s*)(?:(?:single|full)[- ]?(?:days?|weekend)? (?:pass|ticket)(?:es|s)?|(?:\p{L}+ )?general admission|GA)\s*[)\]]?\s*$/iu,
    ticket: null,
  },
];
const ANY_TICKET =
  /pass|ticket|admission|\bGA\b|weekend|lottery|rush|premium|vip|hospitality|upgrade|package|entry|experience|access/i;
