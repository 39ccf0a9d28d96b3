/** What the store's errors mean to the gate. */

import { StoreError } from '../../store/index.ts';

/** Whether the store is out of reach (no connection, no answer, shutting down), as opposed to reached and refusing. */
export function isUnreachable(error: unknown): boolean {
  // The store says of some errors in a sentence of its own what the operator can put right.
  const { code } = (error instanceof StoreError ? (error.cause ?? error) : error) as { code?: unknown };
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return true;
  return OUT_OF_SERVICE.test(code);
}

/** What may be logged of an error: no parameters, no text of a query. */
export function describeError(error: unknown): { code: string; message: string } {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: String(code ?? 'none'), message: String(message ?? error) };
}

/** Five letters or digits with a digit among them; `EPIPE` is none (PostgreSQL documentation, appendix A). */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Connection exception, insufficient resources, operator intervention, system error. */
const OUT_OF_SERVICE = /^(?:08|53|57|58)/;
