/** Accounts as the desk shows them. */

import { data, type RouterContextProvider } from 'react-router';
import { createAccountAdmin, listAudit } from '../../../../accounts/index.ts';
import { createRequests } from '../../../../billing/index.ts';
import { rooms } from '../../rooms.ts';

type Context = Readonly<RouterContextProvider>;

export function openAccountDesk(context: Context) {
  const { store, clocks } = context.get(rooms);
  const { db } = store;
  return {
    accountAdmin: createAccountAdmin({ db, now: clocks.limits }),
    requests: createRequests({ db, now: clocks.directory }),
  };
}

/** Everything about one account; throws 404 where there is none. */
export async function readAccount(context: Context, accountId: string) {
  const { store, billing } = context.get(rooms);
  const { accountAdmin, requests } = openAccountDesk(context);
  const account = await accountAdmin.read(accountId);
  if (!account) throw data(null, { status: 404 });
  const [plans, waiting] = await Promise.all([billing.plansOf(accountId), requests.waiting(accountId)]);
  const keyIds = plans.flatMap(({ keys }) => keys.map(({ id }) => id));
  const pages = await Promise.all([
    listAudit(store.db, { actor: accountId, limit: MAX_ENTRIES }),
    listAudit(store.db, { subject: 'account', subjectId: accountId, limit: MAX_ENTRIES }),
    listAudit(store.db, { subject: 'key', subjectId: keyIds, limit: MAX_ENTRIES }),
  ]);
  const entries = [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row]))).values()]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MAX_ENTRIES)
    .map(({ id, at, actor, action, detail, address }) => ({ id, at, actor, action, address, detail: formatDetail(detail) }));
  return { account, plans, waiting, entries, kind: billing.kind };
}

/** `from: starter, active · to: growth, active`: the readable part of an entry's details. */
function formatDetail(detail: Record<string, unknown>): string {
  const format = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(format).join(', ') : String(value);
  const shown = Object.entries(detail).filter(([name]) => !IDS.has(name));
  return shown.map(([name, value]) => `${name}: ${format(value)}`).join(' · ');
}

const MAX_ENTRIES = 50;
/** The stored entry has them; on the page they would hide the rest. */
const IDS: ReadonlySet<string> = new Set(['subscription', 'request']);
