import type { PlanRequest } from '../../../billing/index.ts';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';

interface Props {
  request: PlanRequest;
  token: string;
  error?: string | undefined;
  /** With it the error is about the note, and this was typed. */
  typedNote?: string | undefined;
}

/** An open plan request, with a form for each of the two answers. */
export function RequestForm({ request, error, token, typedNote }: Props) {
  const noteErrors = error && typedNote !== undefined ? { note: error } : undefined;
  const { id, from, tier, askedAt } = request;
  const state = { trialing: ' (trial)', active: '', inactive: ' (not active)' }[from.status] ?? '';
  const hidden = <input type="hidden" name="request" value={id} />;
  return (
    <div className="stack">
      <p>
        From <strong>{nameOf(from.tier)}</strong>
        {state} to <strong>{tier ? nameOf(tier) : 'no plan'}</strong>, requested on <Moment at={askedAt} />
      </p>
      {error && !noteErrors ? <Notice kind="bad">{error}</Notice> : null}
      <PostForm className="cluster" token={token}>
        {hidden}
        <input type="hidden" name="requested" value={tier ?? 'end'} />
        <Submit intent="approve">Approve</Submit>
      </PostForm>
      {/* A form of its own: the Enter key in its field must never approve. */}
      <details open={noteErrors !== undefined}>
        <summary>Decline with a note</summary>
        <PostForm className="form inline seek" token={token} errors={noteErrors}>
          {hidden}
          <Field
            label="Note to the developer"
            name="note"
            maxLength={500}
            autoComplete="off"
            required
            defaultValue={typedNote ?? ''}
            error={noteErrors?.note}
          />
          <Submit intent="decline" kind="danger">
            Decline
          </Submit>
        </PostForm>
      </details>
    </div>
  );
}

const nameOf = (tier: string): string => tier.charAt(0).toUpperCase() + tier.slice(1);
