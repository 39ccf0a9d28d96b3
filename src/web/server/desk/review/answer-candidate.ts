/** An operator's decision about a possible duplicate, and its undo. Both are only stored here; a job applies them to the directory. */

import {
  findCandidate,
  IngestError,
  loadCandidatePair,
  readLastAnswer,
  revokeDecision,
  storeDecision,
} from '../../../../ingest/index.ts';
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
