/** Refusals of the gate for rooms that answer in a form of their own. */

import type { AccessVerdict, Allowance } from '../accounts/index.ts';
import { PROBLEMS, splitLines } from '../http/index.ts';
import { formatAllowance } from './answer/allowance-headers.ts';
import { entryRefusal } from './refusals.ts';

export interface DescribedRefusal {
  status: number;
  /** One sentence in lower case. */
  detail: string;
  /** The code of the problem, and its further members. */
  data: Readonly<Record<string, unknown>>;
  /** Flat list. */
  headers: readonly string[];
}

export function describeRefusal(verdict: Extract<AccessVerdict, { ok: false }>): DescribedRefusal {
  const { problem, headers = [] } = entryRefusal(verdict);
  const { code, detail, members } = problem;
  return { status: PROBLEMS[code].status, detail, data: { code, ...members }, headers };
}

/** The rate-limit headers as a flat list. `now`: the limits' clock. */
export const listAllowanceHeaders = (allowance: Allowance, now: number): string[] => splitLines(formatAllowance(allowance, now));
