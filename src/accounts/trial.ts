/** Where an account's trial stands, and the e-mails that go with it. */

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { composeEmail, type EmailKind, type Mailer } from '../mail/index.ts';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { TRIAL_MS } from './keys/key-making.ts';
import { trialDigestsOf } from './trial-eligibility.ts';

export interface Trial {
  /**
   * `none`: no trial belongs to this account, such as one that an operator made.
   * `mailbox_used`: the mailbox has had its trial with another account.
   * `left`: another plan took its place.
   */
  state: 'running' | 'ended' | 'left' | 'mailbox_used' | 'none';
  /** Of one that runs or ended. */
  endsAt: Date | null;
}

/** As the directory's clock has it at `now`. */
export async function readTrial(db: Kysely<Database>, accountId: string, now: number): Promise<Trial> {
  const [facts] = await readFacts(db, accountId);
  return facts ? trialOf(facts, now) : NO_TRIAL;
}

interface Facts {
  id: string;
  email: string;
  verifiedAt: Date;
  /** Of the account's first subscription on trial; null without one. */
  trialEndsAt: Date | null;
  hasPlan: boolean;
  /** Whether the mailbox had its trial with another account. */
  wasHad: boolean;
}

function trialOf({ verifiedAt, trialEndsAt, hasPlan, wasHad }: Facts, now: number): Trial {
  // Before the first key there is no subscription yet, but the time runs.
  const endsAt = trialEndsAt ?? new Date(verifiedAt.getTime() + TRIAL_MS);
  if (!trialEndsAt && hasPlan) return { state: 'left', endsAt: null };
  if (!trialEndsAt && wasHad) return { state: 'mailbox_used', endsAt: null };
  return { state: now < endsAt.getTime() ? 'running' : 'ended', endsAt };
}

/** Accounts that began with a trial: theirs is the one default without a tier. */
async function readFacts(db: Kysely<Database>, accountId?: string, verifiedFrom?: Date): Promise<Facts[]> {
  let wanted = db
    .selectFrom('account')
    .select(['id', 'email', 'email_verified_at'])
    .where('status', '=', 'active')
    .where('default_tier', 'is', null)
    .where('email_verified_at', 'is not', null);
  if (accountId) wanted = wanted.where('id', '=', accountId);
  if (verifiedFrom) wanted = wanted.where('email_verified_at', '>=', verifiedFrom);
  const accounts = await wanted.execute();
  if (accounts.length === 0) return [];
  const digests = new Map(accounts.map(({ id, email }) => [id, trialDigestsOf(email)]));
  const subscriptions = await db
    .selectFrom('subscription')
    .select(['account_id', 'status', 'trial_ends_at', 'trial_mailbox'])
    .where(({ eb, or }) =>
      or([eb('account_id', 'in', [...digests.keys()]), eb('trial_mailbox', 'in', [...digests.values()].flat())]),
    )
    .where('status', '<>', 'test')
    .execute();
  return accounts.flatMap(({ id, email, email_verified_at: verifiedAt }) => {
    if (!verifiedAt) return [];
    const own = subscriptions.filter((subscription) => subscription.account_id === id);
    const onTrial = own.find(({ status }) => status === 'trialing');
    const mailboxes = digests.get(id) ?? [];
    const wasHad = subscriptions.some(
      ({ account_id, trial_mailbox }) => account_id !== id && trial_mailbox !== null && mailboxes.includes(trial_mailbox),
    );
    return [{ id, email, verifiedAt, trialEndsAt: onTrial?.trial_ends_at ?? null, hasPlan: own.length > 0, wasHad }];
  });
}

export interface TrialEmailsOptions {
  db: Kysely<Database>;
  mailer: Mailer;
  publicUrl: string;
  now: Clock;
  log: Log;
}

/**
 * Sends what is due: 3 days before a trial ends, 1 day before, and when it has ended; each once, whatever processes run or restart. A
 * e-mail is noted before it leaves: after a crash between the two it is missing rather than there twice. Who comes late, such as a
 * worker that stood still for days, sends the latest that is due and not those before it. Gives the number of e-mails.
 */
export async function sendTrialEmails({ db, mailer, publicUrl, now, log }: TrialEmailsOptions): Promise<number> {
  const moment = now();
  const candidates = await readFacts(db, undefined, new Date(moment - TRIAL_MS - WATCHED_MS));
  let sent = 0;
  for (const facts of candidates) {
    const { state, endsAt } = trialOf(facts, moment);
    if (!endsAt || (state !== 'running' && state !== 'ended')) continue;
    const left = endsAt.getTime() - moment;
    const due = EMAILS.find(({ whenLeftMs }) => left <= whenLeftMs);
    if (!due || left < -ENDED_EMAIL_MS) continue;
    const noted = await db
      .insertInto('letter')
      .values({ account_id: facts.id, kind: due.kind, sent_at: new Date(moment) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('kind')
      .executeTakeFirst();
    if (!noted) continue;
    await mailer.send({
      to: facts.email,
      ...composeEmail(due.kind, { site: publicUrl, link: `${publicUrl}/dashboard/plans`, endsAt }),
    });
    sent += 1;
  }
  if (sent > 0) log.info({ emails: sent }, 'e-mails about trials');
  return sent;
}

const NO_TRIAL: Trial = { state: 'none', endsAt: null };
/** The latest first: one look sends at most one e-mail to an account. */
const EMAILS: readonly { kind: EmailKind; whenLeftMs: number }[] = [
  { kind: 'trial_ended', whenLeftMs: 0 },
  { kind: 'trial_1_day', whenLeftMs: DAY_MS },
  { kind: 'trial_3_days', whenLeftMs: 3 * DAY_MS },
];
/** A trial that ended longer ago is no news. */
const ENDED_EMAIL_MS = 2 * DAY_MS;
const WATCHED_MS = ENDED_EMAIL_MS;
