/**
 * Codes of authenticator apps are taken once (RFC 6238, 5.2): who saw one being typed has nothing. The engine would take each for as long as
 * it is valid, so a code is spent before the engine sees it, in the store, where all processes meet.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../../store/index.ts';

/** Goes before the engine's check: throws MARQUEE_SPENT_CODE for a code that was taken; leaves a wrong one to the engine, which counts it. */
export function createCodeSpender(db: Kysely<Database>) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const accountId = (await getSessionFromCtx(ctx))?.user.id ?? (await challengedBy(ctx));
    if (!accountId) return;
    const factor = await db
      .selectFrom('two_factor')
      .select(['id', 'secret', 'locked_until'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    // While it is shut, the engine takes no code.
    if (!factor || Number(factor.locked_until) > Date.now()) return;
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
    const step = stepOf(String(ctx.body.code), secret, Date.now());
    if (step === null) return;
    const { numUpdatedRows } = await db
      .updateTable('two_factor')
      .set({ last_step: step })
      .where('id', '=', factor.id)
      .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new APIError('UNAUTHORIZED', { code: 'MARQUEE_SPENT_CODE' });
  });
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Whose password was right a moment ago, in this browser. */
async function challengedBy(ctx: Context): Promise<string | null> {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  return challenge ? ((await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null) : null;
}

/** The latest time step near `at` that has this code (RFC 6238, 4.2, with RFC 4226, 5.3); null: none has. */
function stepOf(code: string, secret: string, at: number): number | null {
  const now = Math.floor(at / STEP_MS);
  const typed = Buffer.from(code);
  for (let step = now + STEPS_AROUND; step >= now - STEPS_AROUND; step--) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const digest = createHmac('sha1', secret).update(counter).digest();
    const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
    const expected = Buffer.from(String(number % 10 ** DIGITS).padStart(DIGITS, '0'));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) return step;
  }
  return null;
}

const STEP_MS = 30_000;
const DIGITS = 6;
/** One more than the engine takes: a step may begin between this check and its own. */
const STEPS_AROUND = 2;
