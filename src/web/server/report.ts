/** The form with which anybody reports a problem of an event or venue, and the words that tell what became of it. */

import { data } from 'react-router';
import { createAttempts } from '../../accounts/index.ts';
import { KINDS_OF, type ReportReason, reportProblem, type WordOutcome } from '../../reports/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import { isUuid } from '../../values/uuid.ts';
import type { ReportedRecord } from '../model/reports.ts';
import { readForm } from './forms.ts';
import { languageOf, readLanguage } from './languages.ts';
import { requestFacts, rooms } from './rooms.ts';
import type { PageRequest } from './viewer.ts';

/** The record of `?event=` or `?venue=`, an id. Throws 404 where no record that is published has it. */
export function readReportedRecord({ request, context }: PageRequest): ReportedRecord {
  const { search, clocks } = context.get(rooms);
  const { searchParams } = new URL(request.url);
  const snapshot = search.current();
  const record =
    readEvent(snapshot, searchParams.get('event')) ?? readVenue(snapshot, searchParams.get('venue'), clocks.directory());
  if (!record) throw data(null, { status: 404 });
  return record;
}

function readEvent(snapshot: Snapshot, id: string | null): ReportedRecord | null {
  const found = id !== null && isUuid(id) ? snapshot.event(id.toLowerCase()) : null;
  if (found?.found !== 'published') return null;
  const text = snapshot.writeEvents([found.item], 'detail', '', '').toString();
  const { id: own, slug, title, startDatetime, venue } = JSON.parse(text) as EventFacts;
  return { entity: 'event', id: own, path: `/events/${slug}`, title, startDatetime, place: venue.name, kinds: KINDS_OF.event };
}

function readVenue(snapshot: Snapshot, id: string | null, now: number): ReportedRecord | null {
  const found = id !== null && isUuid(id) ? snapshot.venue(id.toLowerCase(), now) : null;
  if (found?.found !== 'published') return null;
  const text = snapshot.writeVenues([found.item], 'detail', now, '', '').toString();
  const { id: own, slug, name, address } = JSON.parse(text) as VenueFacts;
  return {
    entity: 'venue',
    id: own,
    path: `/venues/${slug}`,
    title: name,
    startDatetime: null,
    place: address,
    kinds: KINDS_OF.venue,
  };
}

type ReportOutcome =
  | { ok: true; record: ReportedRecord }
  | { ok: false; reason: ReportReason | 'limited'; retryAfterSeconds: number | null; typed: TypedReport };

interface TypedReport {
  kind: string;
  words: string;
  email: string;
}

/** Takes the form: once, however often it is sent; from each network only so often. */
export async function receiveReport(page: PageRequest): Promise<ReportOutcome> {
  const record = readReportedRecord(page);
  const { store, clocks, once, reportSecret } = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const field = await readForm(page.request);
  const typed: TypedReport = { kind: field('kind'), words: field('words'), email: field('email') };
  // People do not see this field. A program that fills it is told that all is well.
  if (field(TRAP) !== '') return { ok: true, record };
  const refuse = (reason: ReportReason | 'limited', retryAfterSeconds: number | null = null): ReportOutcome => ({
    ok: false,
    reason,
    retryAfterSeconds,
    typed,
  });
  return once(hostNetwork(address), field('token') || null, async (): Promise<ReportOutcome> => {
    const wait = takeAttempt(address);
    if (wait > 0) return refuse('limited', wait);
    const input = { ...typed, entity: record.entity, recordId: record.id, language: readLanguage(page.request).code, address };
    const result = await reportProblem({ db: store.db, now: clocks.directory, secret: reportSecret }, input);
    if (result.ok) return { ok: true, record };
    // What was refused for its content costs no attempt.
    if (result.reason !== 'full') giveAttemptBack(address);
    return refuse(result.reason, result.reason === 'full' ? FULL_RETRY_SECONDS : null);
  });
}

const attempts = createAttempts(() => performance.now());

/** 0: go on; else whole seconds to wait. */
function takeAttempt(address: string): number {
  const ofSite = attempts.take('reportsOfSite', siteNetwork(address));
  if (ofSite > 0) return ofSite;
  const wait = attempts.take('reportsFrom', hostNetwork(address));
  if (wait > 0) attempts.giveBack('reportsOfSite', siteNetwork(address));
  return wait;
}

function giveAttemptBack(address: string): void {
  attempts.giveBack('reportsOfSite', siteNetwork(address));
  attempts.giveBack('reportsFrom', hostNetwork(address));
}

interface EventFacts {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  venue: { name: string };
}
interface VenueFacts {
  id: string;
  slug: string;
  name: string;
  address: string | null;
}

/** The e-mail about an outcome in the words of the pages, so that a further language of the pages is one of these e-mails too. */
export const wordOutcome: WordOutcome = (language, answer, note) => {
  const { text } = languageOf(language);
  return {
    language: text('language.locale'),
    subject: text(`outcome.subject.${answer}`),
    before: [text(`outcome.what.${answer}`), ...(note === null ? [] : [text('outcome.note', { note })])],
    label: text('outcome.view'),
    openAddress: text('outcome.openAddress'),
    after: [text('outcome.privacy')],
  };
};

/** The name of the field that people do not see. */
const TRAP = 'website';
const FULL_RETRY_SECONDS = 3_600;
