import type { PlanRequest } from '../../../billing/index.ts';
import { Field } from '../../design/field.tsx';
import { PostForm, Submit } from '../../design/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';

/** One wish that waits, and the two answers to it. */
export function RequestForm({ request, error, token }: { request: PlanRequest; error?: string | undefined; token: string }) {
  const { id, from, tier, askedAt } = request;
  const state = { trialing: ' (trial)', active: '', inactive: ' (not active)' }[from.status] ?? '';
  return (
    <div className="stack">
      <p>
        From <strong>{nameOf(from.tier)}</strong>
        {state} to <strong>{tier ? nameOf(tier) : 'no plan'}</strong>, asked on <Moment at={askedAt} />
      </p>
      {error ? <Notice kind="bad">{error}</Notice> : null}
      <PostForm className="form inline" token={token}>
        <input type="hidden" name="request" value={id} />
        <input type="hidden" name="wished" value={tier ?? 'end'} />
        <Submit intent="approve">Approve</Submit>
        <Field label="A word to the developer" name="note" maxLength={500} autoComplete="off" />
        <Submit intent="decline" kind="danger">
          Decline
        </Submit>
      </PostForm>
    </div>
  );
}

const nameOf = (tier: string): string => tier.charAt(0).toUpperCase() + tier.slice(1);
