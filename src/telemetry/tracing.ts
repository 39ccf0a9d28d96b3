/** What is told of work, once it is over. Nothing here needs a library. */

export interface FinishedSpan {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** Milliseconds since 1970, with fractions; see `timeOf`. */
  startedAt: number;
  endedAt: number;
  /** From fixed lists and of our own making: never what a caller sent. */
  attributes: Readonly<Record<string, string | number>>;
  isError?: boolean;
  /** Header of the caller; if it is none, a trace begins here. */
  traceparent?: string | undefined;
  /** What it consisted of, in order. */
  steps?: readonly FinishedStep[];
}

export type FinishedStep = Omit<FinishedSpan, 'traceparent'>;

export interface Tracing {
  /** Never throws, and waits for nothing. */
  record(span: FinishedSpan): void;
}

/** Milliseconds since 1970 of a moment of `performance.now()`. */
export const timeOf = (monotonicMs: number): number => performance.timeOrigin + monotonicMs;
