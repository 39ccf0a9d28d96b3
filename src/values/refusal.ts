/** An expected refusal, as a value. Rooms differ in their reasons; forms, commands and `http` answer this one shape. */

export interface Refusal<Reason extends string = string> {
  ok: false;
  reason: Reason;
  /** One sentence for the person who asked. */
  detail: string;
  /** The field that is to blame. */
  field?: string;
  /** Whole seconds until it may be tried again. */
  retryAfterSeconds?: number;
}

/** Makes the refusals of a table. `detail` replaces the sentence of the table. */
export function refusals<Reason extends string>(sentences: Readonly<Record<Reason, string>>) {
  return (reason: Reason, detail: string = sentences[reason]): Refusal<Reason> => ({ ok: false, reason, detail });
}
