/** What the forms of the keys page ask for, done. */

import type { AccountReason, CreatedKey, KeyPlanInput } from '../../../accounts/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import { isUuid } from '../../../values/uuid.ts';
import type { KeyOutcome, ShownKey } from '../../model/keys.ts';
import { labelOf, type Owned } from './own-keys.ts';

export type Changed = KeyOutcome | { kind: 'unknown' } | { kind: 'done'; what: 'revoked' | 'renamed'; id: string };

export async function changeKey(owned: Owned, form: FormData): Promise<Changed> {
  const { owner, keys } = owned;
  const read = (field: string): string => {
    const value = form.get(field);
    return typeof value === 'string' ? value.slice(0, MAX_FIELD_LENGTH) : '';
  };
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
