/** Which leased endpoints may be sent to, as of a moment ago: plans end, accounts are suspended, and endpoints are changed. */

import type { Kysely } from 'kysely';
import { loadAccountTiers } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import { deactivate } from '../endpoint-state.ts';
import { type LeasedEndpoint, readLeased } from './leases.ts';

type Revision = Pick<LeasedEndpoint, 'id' | 'revision'>;

export interface SendPermission {
  /** An endpoint was leased: the next answer is read from the database. */
  add(endpoint: Revision): void;
  isAllowed(endpoint: Revision): Promise<boolean>;
  /** Nothing more is sent to it. */
  withdraw(id: string): void;
}

/** `owner`: the holder of the leases. */
export function createSendPermission(db: Kysely<Database>, owner: string, clocks: Clocks): SendPermission {
  let allowed = new Map<string, number>();
  let allowedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readAllowed(): Promise<void> {
    const at = performance.now();
    const now = clocks.limits;
    const leased = await readLeased(db, owner, now());
    const tiers = await loadAccountTiers(db, [...new Set(leased.map(({ accountId }) => accountId))], clocks.directory());
    const open = leased.filter(({ accountId }) => tiers.get(accountId) === 'enterprise');
    for (const { id } of leased.filter((each) => !open.includes(each)))
      await transact(db, (trx) => deactivate(trx, id, { state: 'stopped', reason: 'plan', now: now() }));
    allowed = new Map(open.map(({ id, revision }) => [id, revision]));
    allowedAt = at;
  }

  return {
    add({ id, revision }) {
      allowed.set(id, revision);
      // The moment of the lease is not known to be one at which the account may be sent to.
      allowedAt = Number.NEGATIVE_INFINITY;
    },

    async isAllowed({ id, revision }) {
      if (performance.now() - allowedAt > ALLOWED_FOR_MS) {
        reading ??= readAllowed().finally(() => {
          reading = null;
        });
        await reading;
      }
      return allowed.get(id) === revision;
    },

    withdraw: (id) => void allowed.delete(id),
  };
}

/** A plan that ends, an account that is suspended and an endpoint that is changed count after so long. */
const ALLOWED_FOR_MS = 300;
