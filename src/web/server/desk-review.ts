/** Possible duplicates: a candidate as it is laid out, its place in the queue, and an operator’s answer. */

import type { RouterContextProvider } from 'react-router';
import {
  type DecidedPair,
  findCandidate,
  IngestError,
  loadCandidatePair,
  type QueuedCandidate,
  type QueueSide,
  readAnswerTo,
  readLastAnswer,
  readQueue,
  revokeDecision,
  storeDecision,
} from '../../ingest/index.ts';
import { type EventFields, formatOrganizer, type Neighborhood, type VenueFields } from '../../records/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { parseHttpUrl } from '../../values/http-url.ts';
import type { CandidateView, FactLine, Piece, SideView } from '../model/desk.ts';
import { formatWord } from '../model/format.ts';
import type { MapPlace } from '../model/map.ts';
import { type Act, type MomentFormat, momentsOf } from './desk.ts';
import { drawMap } from './draw-map.ts';
import { drawTimeline, formatTime, type TimedSide } from './draw-timeline.ts';
import { readBorders } from './map-areas.ts';
import { type Rooms, rooms as roomsContext } from './rooms.ts';

export async function readReview(
  context: Readonly<RouterContextProvider>,
  { by, at, settled }: { by: string; at: string | null; settled: string | null },
) {
  const rooms = context.get(roomsContext);
  const { store, search } = rooms;
  const moments = momentsOf(rooms);
  const [queue, last, meanwhile, neighborhoods] = await Promise.all([
    readQueue({ store, at }),
    readLastAnswer({ store, by }),
    settled ? readAnswerTo({ store, candidate: settled }) : null,
    readBorders(store),
  ]);
  const time = createCityTime(search.current().city.timezone);
  return {
    place: queue.position
      ? `${queue.position} of ${queue.total}${queue.isMore ? ' or more' : ''}`
      : `one of those after the first ${queue.total}`,
    nextId: queue.nextId,
    candidate: queue.candidate && viewCandidate(queue.candidate, { moments, time, neighborhoods }),
    last: last && viewAnswer(last, moments),
    /** Somebody was quicker. */
    meanwhile: settled ? { answer: meanwhile && viewAnswer(meanwhile, moments), isOwn: meanwhile?.by === by } : null,
  };
}

function viewAnswer({ id, verdict, by, at, left, right }: DecidedPair, moments: MomentFormat) {
  return { id, verdict, by, at: moments.format(at), left: left.title, right: right.title };
}

function viewCandidate(
  { id, kind, score, askedAt, evidence, left, right }: QueuedCandidate,
  { moments, time, neighborhoods }: { moments: MomentFormat; time: CityTime; neighborhoods: readonly Neighborhood[] },
): CandidateView {
  // Where a source lists nobody's events but its own, its name says nothing new.
  const listed = [left, right].map(({ listing, source }): ListedSide => {
    const { sources = [], ...rest } = listing as ListedSide;
    return { ...rest, sources: sources.filter((name) => name !== source) };
  });
  const places = listed.flatMap((listing, i) => placeOf(listing, LETTERS[i] ?? ''));
  const times = listed.flatMap((listing, i) => timeOf(listing, LETTERS[i] ?? ''));
  const [a = {}, b = {}] = listed;
  return {
    id,
    kind,
    percent: Math.round(score * 100),
    asked: moments.format(askedAt),
    evidence: evidence.map(({ speaksFor, detail }) => ({ speaksFor, detail })),
    sides: [viewSide(left, 'A', moments), viewSide(right, 'B', moments)],
    facts: FACTS.flatMap(({ name, format, isProse }) => compare(name, format(a, moments), format(b, moments), !isProse)),
    map: drawMap(neighborhoods, places),
    timeline: times.length === 2 ? drawTimeline(times, time, moments) : null,
  };
}

/** As `NormalEvent` or a venue; what runs of earlier versions kept may lack parts. */
type ListedSide = Partial<EventFields> & ListedPlace & { url?: string | null; place?: ListedPlace };
type ListedPlace = { [F in 'name' | 'type' | 'address' | 'latitude' | 'longitude' | 'website']?: VenueFields[F] | null };

type FormatFact = (listing: ListedSide, moments: MomentFormat) => string | null | undefined;

/** `isProse`: in long texts every other word differs, and marks would say nothing. */
const FACTS: readonly { name: string; format: FormatFact; isProse?: true }[] = [
  { name: 'Title', format: ({ title }) => title },
  {
    name: 'Time',
    format: ({ startsAt, endsAt = null, precision = 'time' }, moments) =>
      startsAt === undefined ? null : formatTime({ startsAt, endsAt, precision }, moments),
  },
  { name: 'Place', format: ({ place, name }) => place?.name ?? name },
  { name: 'Address', format: ({ place, address }) => place?.address ?? address },
  { name: 'Venue type', format: ({ place, type }) => place?.type ?? type },
  { name: 'Performers', format: ({ performers }) => performers?.join(', ') },
  { name: 'Organizer', format: ({ organizer }) => organizer && formatOrganizer(organizer) },
  { name: 'Category', format: ({ category }) => category },
  { name: 'Status', format: ({ status }) => status && formatWord(status) },
  { name: 'Price', format: ({ isFree, priceMin, priceMax }) => formatPrice(isFree, priceMin ?? null, priceMax ?? null) },
  { name: 'Tags', format: ({ tags }) => tags?.join(', ') },
  { name: 'Listed by', format: ({ sources }) => sources?.join(', ') },
  { name: 'Website', format: ({ website }) => website },
  { name: 'Description', format: ({ description }) => description && cut(description), isProse: true },
];

function formatPrice(isFree: boolean | undefined, least: number | null, most: number | null): string | null {
  if (isFree) return 'free';
  if (least === null && most === null) return null;
  return least === most || most === null || least === null ? String(least ?? most) : `${least} – ${most}`;
}

const cut = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH).trimEnd()}…` : text);

/** Nothing where neither says it. */
function compare(name: string, left: string | null | undefined, right: string | null | undefined, isMarked: boolean): FactLine[] {
  if (!left && !right) return [];
  if (!left || !right) return [{ name, verdict: 'one', left: plain(left), right: plain(right) }];
  const isAlike = spelling(left) === spelling(right);
  if (isAlike) return [{ name, verdict: 'alike', left: plain(left), right: plain(right) }];
  if (!isMarked) return [{ name, verdict: 'differ', left: plain(left), right: plain(right) }];
  return [{ name, verdict: 'differ', left: markWords(left, right), right: markWords(right, left) }];
}

const plain = (text: string | null | undefined): Piece[] => (text ? [{ text, marked: false }] : []);
const spelling = (word: string): string => word.normalize('NFKC').toLowerCase();

/** Words of `text` that `other` lacks are marked; neighbors of one kind are one piece. */
export function markWords(text: string, other: string): Piece[] {
  const known = new Set(spelling(other).match(WORD) ?? []);
  const pieces: Piece[] = [];
  const add = (part: string, marked: boolean): void => {
    const last = pieces.at(-1);
    if (last && last.marked === marked) last.text += part;
    else if (part !== '') pieces.push({ text: part, marked });
  };
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const marked = !known.has(spelling(word));
    const between = text.slice(end, index);
    // A blank between two marked words belongs to them.
    add(between, marked && pieces.at(-1)?.marked === true && between.trim() === '');
    add(word, marked);
    end = index + word.length;
  }
  add(text.slice(end), false);
  return pieces;
}

function viewSide(side: QueueSide, letter: string, moments: MomentFormat): SideView {
  const { title, name, url, website } = side.listing as ListedSide;
  return {
    letter,
    title: title ?? name ?? side.externalId,
    source: side.source,
    trust: side.trust,
    externalId: side.externalId,
    url: parseHttpUrl(url ?? website ?? '')?.href ?? null,
    firstSeen: moments.format(side.firstSeenAt),
    companions: side.companions,
  };
}

function placeOf({ place, latitude, longitude }: ListedSide, letter: string): MapPlace[] {
  const [north, east] = place ? [place.latitude, place.longitude] : [latitude, longitude];
  return typeof north === 'number' && typeof east === 'number' ? [{ letter, latitude: north, longitude: east }] : [];
}

function timeOf({ startsAt, endsAt = null, precision = 'time' }: ListedSide, letter: string): TimedSide[] {
  return startsAt === undefined ? [] : [{ letter, startsAt, endsAt, precision }];
}

type AnswerOutcome =
  | { ok: true /** The candidate to show next. */; next: string | null }
  /** Somebody else was quicker. */
  | { ok: false; settled: string }
  | { ok: false; reason: string };

export function answerCandidate(
  { once, note, text, viewer }: Act,
  { store, clocks }: Rooms,
  verdict: 'same' | 'different',
): Promise<AnswerOutcome> {
  return once(async (): Promise<AnswerOutcome> => {
    const candidate = text('question');
    const remark = text('note').trim();
    const pair = await loadCandidatePair({ store, id: candidate });
    if (!pair) return { ok: false, settled: candidate };
    try {
      await storeDecision({
        store,
        ...pair,
        verdict,
        by: viewer.email,
        candidate,
        now: clocks.directory,
        ...(remark && { note: remark }),
      });
      await note({
        action: `review.${verdict}`,
        subject: 'question',
        subjectId: candidate,
        detail: { ...pair, note: remark || null },
      });
      return { ok: true, next: text('next') || null };
    } catch (error) {
      return refusalOf(error, candidate);
    }
  });
}

/** Undoes the last decision of this operator, if it is the one that was shown. */
export function undoAnswer({ once, note, text, viewer }: Act, { store, clocks }: Rooms): Promise<AnswerOutcome> {
  return once(async (): Promise<AnswerOutcome> => {
    const last = await readLastAnswer({ store, by: viewer.email });
    if (!last || last.id !== text('decision'))
      return { ok: false, reason: 'That decision was already changed. Nothing was undone.' };
    const pair = { left: last.left.recordId, right: last.right.recordId };
    try {
      await revokeDecision({ store, ...pair, decision: last.id, now: clocks.directory });
      await note({ action: 'review.undo', subject: 'decision', subjectId: last.id, detail: { ...pair, verdict: last.verdict } });
      return { ok: true, next: await findCandidate({ store, ...pair }) };
    } catch (error) {
      return refusalOf(error, '');
    }
  });
}

function refusalOf(error: unknown, candidate: string): AnswerOutcome {
  if (!(error instanceof IngestError)) throw error;
  if (error.code === 'question_settled') return { ok: false, settled: candidate };
  return { ok: false, reason: `Nothing was decided: ${error.message}.` };
}

const LETTERS = ['A', 'B'] as const;
const MAX_TEXT_LENGTH = 600;
/** An hour and an amount are one word each. */
const WORD = /[\p{L}\p{N}]+(?:[:.,]\p{N}+)*/gu;
