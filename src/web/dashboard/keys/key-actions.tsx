import { Choice, Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { RefusedKeyForm } from '../../model/keys.ts';

interface Props {
  listing: { id: string; name: string; expiresAt: Date | null };
  token: string;
  /** What is wrong with one of this key's forms. */
  refused: RefusedKeyForm | null;
}

/** The forms that rename, rotate and revoke a key. A key that was rotated cannot be rotated again. */
export function KeyActions({ listing: { id, name, expiresAt }, token, refused }: Props) {
  const errorsOf = (intent: string) => (refused?.intent === intent ? refused.errors : undefined);
  return (
    <div className="key-acts">
      <details open={errorsOf('rename') !== undefined}>
        <summary className="button small">
          Rename<span className="visually-hidden"> {name}</span>
        </summary>
        <PostForm errors={errorsOf('rename')} action="/dashboard/keys" className="form inline">
          <input type="hidden" name="id" value={id} />
          <Field
            label="New name"
            name="name"
            defaultValue={refused?.intent === 'rename' ? refused.name : name}
            maxLength={100}
            autoComplete="off"
            required
            error={errorsOf('rename')?.name}
          />
          <Submit intent="rename">Rename key</Submit>
        </PostForm>
      </details>
      {expiresAt ? null : <RotateForm id={id} name={name} token={token} errors={errorsOf('rotate')} />}
      <details>
        <summary className="button small danger">
          Revoke<span className="visually-hidden"> {name}</span>
        </summary>
        <PostForm errors={errorsOf('revoke')} action="/dashboard/keys" className="form">
          <input type="hidden" name="id" value={id} />
          <p>
            Requests with <strong>{name}</strong> are rejected within a second. You cannot undo this. The plan stays, and you can
            create a new key for it.
          </p>
          <p>
            <Submit intent="revoke" kind="danger">
              Revoke key permanently
            </Submit>
          </p>
        </PostForm>
      </details>
    </div>
  );
}

interface RotateProps {
  id: string;
  name: string;
  token: string;
  errors: Record<string, string> | undefined;
}

function RotateForm({ id, name, token, errors }: RotateProps) {
  return (
    <details open={errors !== undefined}>
      <summary className="button small">
        Rotate<span className="visually-hidden"> {name}</span>
      </summary>
      <PostForm errors={errors} token={token} action="/dashboard/keys" className="form">
        <input type="hidden" name="id" value={id} />
        <p>You get a new key on the same plan immediately. Until the old key expires, both share one quota.</p>
        <Choice label="Old key expires" name="grace" defaultValue="24h" options={GRACES} error={errors?.grace} />
        <p>
          <Submit intent="rotate">Rotate key</Submit>
        </p>
      </PostForm>
    </details>
  );
}

const GRACES = [
  { value: '0', text: 'immediately' },
  { value: '1h', text: 'in one hour' },
  { value: '24h', text: 'in 24 hours' },
  { value: '7d', text: 'in 7 days' },
] as const;
