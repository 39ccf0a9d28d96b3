/** What loaders and actions of the dashboard need of keys and usage, for the account of the reader. */

import {
  createAccounts,
  createUsageReports,
  type KeyListing,
  type KeyOwner,
  type OwnKeys,
  type SubscriptionUsage,
  type UsageReports,
} from '../../../accounts/index.ts';
import type { LeftNow, SubscriptionShown } from '../../model/keys.ts';
import { refusal } from '../refusal.ts';
import { type Rooms, requestFacts, rooms } from '../rooms.ts';
import { type PageRequest, requireViewer } from '../viewer.ts';
import { readTiers } from './read-tiers.ts';

export interface Owned {
  owner: KeyOwner & { accountId: string; sessionId: string };
  keys: OwnKeys;
  usage: UsageReports;
  rooms: Rooms;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwned(page: PageRequest): Promise<Owned> {
  const { accountId, email, sessionId } = await requireViewer(page);
  const opened = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const { keys, usage } = managersOf(opened);
  return { owner: { accountId, sessionId, actor: { id: accountId, name: email }, address }, keys, usage, rooms: opened };
}

/** One for each service: what a double click is answered with is remembered in it. */
function managersOf({ store, gate, clocks }: Rooms): { keys: OwnKeys; usage: UsageReports } {
  let managers = opened.get(store);
  if (!managers) {
    managers = {
      keys: createAccounts({ db: store.db, now: clocks.directory }).own,
      usage: createUsageReports(store.db, gate, clocks.limits),
    };
    opened.set(store, managers);
  }
  return managers;
}
const opened = new WeakMap<object, { keys: OwnKeys; usage: UsageReports }>();

/** The one key that an address asks for (`?key=`), of all that the reader has; null: none. Throws 404 for any other id. */
export function readAskedKey(request: Request, listing: readonly KeyListing[]): KeyListing | null {
  const asked = new URL(request.url).searchParams.get('key') ?? '';
  if (asked === '') return null;
  const found = listing.find(({ id }) => id === asked);
  if (!found) throw refusal(404, 'Key not found.');
  return found;
}

export const leftOf = ({ allowance: { day, minute }, endsAt }: Pick<SubscriptionUsage, 'allowance' | 'endsAt'>): LeftNow => ({
  day,
  minute: { limit: minute.limit, used: minute.used, remaining: minute.remaining },
  endsAt,
});

/** `subscriptions`: those that have a working key, at most a dozen, what is used most today first; `more`: how many there are beside them. */
export async function readSubscriptions({
  owner,
  keys,
  usage,
  rooms,
}: Owned): Promise<{ listing: KeyListing[]; subscriptions: SubscriptionShown[]; more: number }> {
  const moment = rooms.clocks.directory();
  const [listing, now] = await Promise.all([keys.list(owner.accountId), usage.now(owner.accountId)]);
  const subscriptions = new Map<string, SubscriptionShown>();
  for (const key of listing) {
    const found = now.get(key.subscriptionId);
    if (key.state !== 'active' || !found) continue;
    const known = subscriptions.get(key.subscriptionId) ?? {
      id: key.subscriptionId,
      tier: labelOf(key.tier),
      plan: key.plan,
      trialEndsAt: key.trialEndsAt,
      isOver: key.trialEndsAt !== null && key.trialEndsAt.getTime() <= moment,
      keys: [],
      left: leftOf(found),
    };
    known.keys.push({ id: key.id, name: key.name, last4: key.last4 });
    subscriptions.set(key.subscriptionId, known);
  }
  // The sort keeps the order of the keys among equals.
  const all = [...subscriptions.values()].sort((one, other) => other.left.day.used - one.left.day.used);
  return { listing, subscriptions: all.slice(0, MAX_SHOWN), more: Math.max(0, all.length - MAX_SHOWN) };
}

/** Cards on one page. */
const MAX_SHOWN = 12;

export const labelOf = (tier: string): string => readTiers().tiers.find(({ name }) => name === tier)?.label ?? tier;
