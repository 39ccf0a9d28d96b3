/** The keys of an account and their usage: what the pages of the dashboard show, and what their forms do. */

import {
  type AccountReason,
  type CreatedKey,
  createAccounts,
  createUsageReports,
  type KeyListing,
  type KeyOwner,
  type KeyPlanInput,
  type OwnKeys,
  type SubscriptionUsage,
  type UsageReports,
} from '../../accounts/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import type { KeyOutcome, LeftNow, ShownKey, SubscriptionShown } from '../model/keys.ts';
import { fieldsOf, refusal } from './forms.ts';
import type { Rooms } from './rooms.ts';
import { readTiers } from './tiers.ts';
import { type PageRequest, requireOwner, requireViewer } from './viewer.ts';

interface Owned {
  owner: KeyOwner & { accountId: string; sessionId: string };
  keys: OwnKeys;
  usage: UsageReports;
  rooms: Rooms;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwned(page: PageRequest): Promise<Owned> {
  const { owner, rooms: opened } = await requireOwner(page);
  const { sessionId } = await requireViewer(page);
  return { owner: { ...owner, sessionId }, ...managersOf(opened), rooms: opened };
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

const labelOf = (tier: string): string => readTiers().tiers.find(({ name }) => name === tier)?.label ?? tier;

type Changed = KeyOutcome | { kind: 'unknown' } | { kind: 'done'; what: 'revoked' | 'renamed'; id: string };

export async function changeKey(owned: Owned, form: FormData): Promise<Changed> {
  const { owner, keys } = owned;
  const fields = fieldsOf(form);
  const read = (field: string): string => fields(field).slice(0, MAX_FIELD_LENGTH);
  const [intent, id, name, plan, token] = ['intent', 'id', 'name', 'plan', 'token'].map(read) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const answer = (refusal: Refusal<AccountReason>, of: string | null): Changed => {
    if (refusal.reason === 'unknown_key' || refusal.reason === 'unknown_subscription') return { kind: 'unknown' };
    const field = FIELDS[refusal.reason] ?? 'form';
    return { kind: 'refused', id: of, intent, errors: { [field]: refusal.detail }, name, plan };
  };
  switch (intent) {
    case 'create': {
      const created = await keys.create(owner, { form: token, name, plan: readPlan(plan) });
      return created.ok ? show(owned, created, name.trim(), null) : answer(created, null);
    }
    case 'rotate': {
      const rotated = await keys.rotate(owner, { form: token, id, grace: read('grace') });
      return rotated.ok ? show(owned, rotated, null, read('grace')) : answer(rotated, id);
    }
    case 'rename': {
      const renamed = await keys.rename(owner, id, name);
      return renamed.ok ? { kind: 'done', what: 'renamed', id } : answer(renamed, id);
    }
    case 'revoke': {
      const revoked = await keys.revoke(owner, id);
      // The second revocation finds nothing left to do.
      if (revoked.ok || revoked.reason === 'revoked_key') return { kind: 'done', what: 'revoked', id };
      return answer(revoked, id);
    }
    default:
      return { kind: 'unknown' };
  }
}

async function show(
  { owner, keys, rooms }: Owned,
  created: CreatedKey,
  name: string | null,
  grace: string | null,
): Promise<ShownKey> {
  const listed = (await keys.list(owner.accountId)).find(({ id }) => id === created.id);
  return {
    kind: 'shown',
    key: created.key,
    name: name ?? listed?.name ?? '',
    tier: labelOf(created.tier),
    isOpen: listed?.plan !== 'inactive' && !isOver(listed?.trialEndsAt ?? null, rooms.clocks.directory()),
    grace,
    publicUrl: rooms.publicUrl,
  };
}

const isOver = (trialEndsAt: Date | null, now: number): boolean => trialEndsAt !== null && trialEndsAt.getTime() <= now;

/** `free`, `tier:growth`, `test:growth`, `subscription:<id>`. */
function readPlan(text: string): KeyPlanInput {
  const [kind, value = ''] = text.split(':', 2);
  if (kind === 'tier' || kind === 'test') return { kind, tier: value };
  if (kind === 'subscription' && isUuid(value)) return { kind: 'subscription', subscriptionId: value };
  return { kind: 'free' };
}

/** Fields of the forms that a refusal is about. */
const FIELDS: Partial<Record<AccountReason, string>> = {
  invalid_name: 'name',
  unknown_tier: 'plan',
  trial_used: 'plan',
  trial_network_full: 'plan',
  key_exists: 'plan',
  test_key_exists: 'plan',
  unknown_grace: 'grace',
};
const MAX_FIELD_LENGTH = 200;
