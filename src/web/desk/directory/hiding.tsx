import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { FormattedMoment } from '../../model/desk/moment.ts';
import type { Entity, RejectedAction } from '../../model/desk/record.ts';
import { TimeText } from '../oversight/moments.tsx';

/** Not to be published, or published again. */
export function Hiding({ entity, hidden, refused }: Props) {
  if (hidden) {
    return (
      <PostForm>
        <p>
          Hidden by {hidden.by}, <TimeText at={hidden.at} />
          {hidden.note ? `: ${hidden.note}` : ''}.
        </p>
        <div>
          <Submit intent="unhide">Publish again</Submit>
        </div>
      </PostForm>
    );
  }
  const refusal = refused?.intent === 'hide' ? refused : undefined;
  const errors = refusal && { [refusal.isOfNote ? 'note' : 'form']: refusal.error };
  return (
    <PostForm errors={errors}>
      <p className="quiet">
        Hide records that must not be published, such as spam or a private home. A hidden record leaves the lists, and its address
        returns 410, also after later runs and imports{entity === 'venue' ? '. The same applies to all its events' : ''}.
      </p>
      <Field label="Reason (optional)" name="note" maxLength={1000} error={errors?.note} defaultValue={refusal?.typed.note} />
      <div>
        <Submit intent="hide" kind="danger">
          Hide
        </Submit>
      </div>
    </PostForm>
  );
}

interface Props {
  entity: Entity;
  hidden: { by: string; at: FormattedMoment; note: string | null } | null;
  refused: RejectedAction | undefined;
}
