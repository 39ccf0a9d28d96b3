/** Who may begin a trial: one for each mailbox, ever, and so many for each network and day. */

import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import { siteNetwork } from '../values/ip-network.ts';
import type { Refusal } from '../values/refusal.ts';
import { readEmail } from './email.ts';
import { type AccountReason, refuse } from './refusal.ts';

/** Null if a trial may begin; then it is counted for the network of `address`. `moment` is the directory's time. */
export async function refuseTrial(
  trx: Transaction<Database>,
  { email, address }: { email: string; address?: string | null },
  moment: number,
): Promise<Refusal<AccountReason> | null> {
  if (await hasHadTrial(trx, email)) return refuse('trial_used', email);
  const hasRoom = !address || (await countTrial(trx, siteNetwork(address), new Date(moment)));
  return hasRoom ? null : refuse('trial_network_full');
}

/** With this account or another, deleted ones among them. */
export async function hasHadTrial(db: Kysely<Database>, email: string): Promise<boolean> {
  const had = db.selectFrom('subscription').where('trial_mailbox', 'in', trialDigestsOf(email));
  return (await had.select('id').executeTakeFirst()) !== undefined;
}

/** Counts a trial of a network in the store, where all processes meet. False: this day's number is reached, and nothing was counted. */
async function countTrial(trx: Transaction<Database>, network: string, at: Date): Promise<boolean> {
  const counted = await trx
    .insertInto('trial_network')
    .values({ network, day: at.toISOString().slice(0, DAY_LENGTH), trials: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'day'])
        .doUpdateSet(({ eb, ref }) => ({ trials: eb(ref('trial_network.trials'), '+', 1) }))
        .where('trial_network.trials', '<', MAX_TRIALS_PER_NETWORK_AND_DAY),
    )
    .returning('trials')
    .executeTakeFirst();
  return counted !== undefined;
}

/** What is remembered of a mailbox that had its trial, also when its account is gone. */
const digestMailbox = (mailbox: string): string => hash('sha256', mailbox, 'hex');

/** All digests under which the trial of an address's mailbox may be remembered; new trials are by the first. */
export function trialDigestsOf(address: string): string[] {
  const email = readEmail(address);
  const mailboxes = email ? [email.mailbox, email.plainMailbox] : [address.toLowerCase()];
  return [...new Set(mailboxes)].map(digestMailbox);
}

/** A team that tries Marquee together fits in; hundreds of accounts made for their trials do not. */
const MAX_TRIALS_PER_NETWORK_AND_DAY = 20;
const DAY_LENGTH = 10;
