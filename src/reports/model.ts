/** What a reported problem is. */

export type ReportedEntity = 'event' | 'venue';

export const PROBLEM_KINDS = ['wrong_time', 'cancelled', 'duplicate', 'closed', 'other'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Those that a reader may choose for a record. */
export const KINDS_OF: Readonly<Record<ReportedEntity, readonly ProblemKind[]>> = {
  event: PROBLEM_KINDS,
  venue: PROBLEM_KINDS.filter((kind) => kind !== 'cancelled'),
};

export const REPORT_ANSWERS = ['fixed', 'kept', 'duplicate'] as const;
/** `fixed`: the record was corrected. `kept`: it is right as it is. `duplicate`: the record is listed twice, and one listing stays. */
export type ReportAnswer = (typeof REPORT_ANSWERS)[number];
export type ReportState = 'open' | ReportAnswer;

export const MAX_WORDS_CHARS = 1_000;
export const MAX_NOTE_CHARS = 1_000;
