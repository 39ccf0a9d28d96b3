/** Forms that were sent: how they are read, refused, and done once however often they are sent. */

import { createIdempotency } from '../../values/idempotency.ts';

/** Throws 400 for a body that is no form, or none that can be read. */
export async function readFormData(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw refusal(400, 'This form cannot be read.');
  });
}

/** The fields of a form that was sent. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  return fieldsOf(await readFormData(request));
}

/** Files and missing fields are empty text. */
export const fieldsOf =
  (form: FormData | URLSearchParams) =>
  (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };

export function refusal(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** For a form that no page of ours has sent: one with another `intent`, or a choice that was never offered. */
export const unknownForm = (): Response => refusal(400, 'This page has no such form. Go back, reload the page and try again.');

/**
 * Runs `work` for the first of all submissions of one form by one person; see `Idempotency`. `token`: as `newFormToken` made it; without
 * one the work simply runs. A form that was refused (`ok: false`) keeps its token on the page, and is corrected and sent again.
 */
export type RunOnce = <Outcome>(who: string, token: string | null, work: () => Promise<Outcome>) => Promise<Outcome>;

export function createFormIdempotency(rememberedMs = REMEMBERED_MS): RunOnce {
  const runOnce = createIdempotency({ now: Date.now, rememberedMs, maxRemembered: MAX_REMEMBERED });
  return (who, token, work) => (token ? runOnce(`${who}\n${token.slice(0, MAX_TOKEN_LENGTH)}`, work, isTaken) : work());
}

const isTaken = (outcome: unknown): boolean => (outcome as { ok?: unknown } | null | undefined)?.ok !== false;

/** For the hidden field of a form, new each time that the form is shown. */
export const newFormToken = (): string => crypto.randomUUID();

const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const MAX_TOKEN_LENGTH = 64;
