/** An operator's decision about a possible duplicate, and its undo. */

import { findCandidate, loadCandidatePair, readLastAnswer } from '../../../../curation/index.ts';
import { decide, undecide } from '../../../../ingest/index.ts';
import { IngestError } from '../../../../sources/index.ts';
import type { Rooms } from '../../rooms.ts';
import type { Act } from '../act.ts';

export type AnswerOutcome =
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
      const { difference } = await decide({
        store,
        ...pair,
        verdict,
        by: viewer.email,
        candidate,
        now: clocks.directory,
        patienceMs: PATIENCE_MS,
        ...(remark && { note: remark }),
      });
      const detail = { ...pair, note: remark || null, merged: difference.merged.length };
      await note({ action: `review.${verdict}`, subject: 'question', subjectId: candidate, detail });
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
      await undecide({ store, ...pair, decision: last.id, now: clocks.directory, patienceMs: PATIENCE_MS });
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
  if (error.code === 'directory_busy') {
    return { ok: false, reason: 'A run is in progress, so nothing was decided. Try again in a moment.' };
  }
  return { ok: false, reason: `Nothing was decided: ${error.message}.` };
}

/** A run may write for a minute; nobody waits for a page that long. */
const PATIENCE_MS = 8_000;
