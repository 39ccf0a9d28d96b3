/** What operators do, once for each form that was sent, and written down. */

import type { LoaderFunctionArgs } from 'react-router';
import { type AuditEntry, recordAudit, type SignedIn } from '../../../accounts/index.ts';
import { readFormData } from '../read-form.ts';
import { requestFacts, rooms } from '../rooms.ts';
import { requireOperator } from '../viewer.ts';

export interface Act {
  viewer: SignedIn;
  form: FormData;
  text(name: string): string;
  /** Runs `work` for the first of all copies of this form. */
  once<Outcome>(work: () => Promise<Outcome>): Promise<Outcome>;
  /** Notes what was done, by this operator and from where. */
  note(entry: Pick<AuditEntry, 'action' | 'subject' | 'subjectId' | 'detail'>): Promise<void>;
}

/** The form that an operator sent; throws what an unknown address gives to anybody else. */
export async function readAct(page: Pick<LoaderFunctionArgs, 'request' | 'context'>): Promise<Act> {
  const viewer = await requireOperator(page);
  const { store, clocks, once } = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const form = await readFormData(page.request);
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    viewer,
    form,
    text,
    once: (work) => once(viewer.accountId, text('token') || null, work),
    note: (entry) =>
      recordAudit(
        store.db,
        { ...entry, actor: { id: viewer.accountId, name: viewer.email }, address },
        { now: clocks.directory },
      ),
  };
}
