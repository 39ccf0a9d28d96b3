import { Choice, Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';

interface Props {
  endpoint: { state: string };
  types: readonly { name: string }[];
  token: string;
  address: string;
  isOpen: boolean;
  errorsOf(intent: string): Record<string, string> | undefined;
}

/** What can be done with an endpoint. */
export function EndpointActions({ endpoint: { state }, types, token, address, isOpen, errorsOf }: Props) {
  return (
    <section className="stack" aria-label="Actions">
      <div className="key-acts">
        {isOpen && state === 'unproven' ? (
          <Act address={address} errorsOf={errorsOf} intent="verify" label="Verify endpoint" isMain />
        ) : null}
        {isOpen && state === 'active' ? <Act address={address} errorsOf={errorsOf} intent="pause" label="Pause" /> : null}
        {isOpen && state !== 'active' && state !== 'unproven' ? (
          <Act address={address} errorsOf={errorsOf} intent="activate" label="Activate endpoint" isMain />
        ) : null}
        {isOpen ? (
          <details open={errorsOf('rotate') !== undefined}>
            <summary className="button small">Rotate secret</summary>
            <PostForm errors={errorsOf('rotate')} token={token} action={address} className="form">
              <p>You get a new secret. Messages are signed with both secrets for 24 hours.</p>
              <Submit intent="rotate" small>
                Rotate signing secret
              </Submit>
            </PostForm>
          </details>
        ) : null}
        <details>
          <summary className="button small danger">Remove</summary>
          <PostForm errors={errorsOf('remove')} action={address} className="form">
            <p>Nothing is sent to the endpoint any more, and messages that wait are dropped. You cannot undo this.</p>
            <Submit intent="remove" kind="danger" small>
              Remove endpoint permanently
            </Submit>
          </PostForm>
        </details>
      </div>
      {isOpen && state === 'active' ? (
        <>
          <PostForm errors={errorsOf('test')} action={address} className="form inline">
            <Choice label="Test event" name="type" options={types.map(({ name }) => ({ value: name, text: name }))} />
            <Submit intent="test">Send test event</Submit>
          </PostForm>
          <details open={errorsOf('recover') !== undefined}>
            <summary>Recover a range</summary>
            <PostForm errors={errorsOf('recover')} action={address} className="form">
              <p>Marquee sends the changes in the range again, with the current records. A range holds at most 10,000 changes.</p>
              <Field
                label="From"
                name="from"
                hint="A sequence number, or a time in UTC such as 2026-11-21T20:00."
                autoComplete="off"
                required
                error={errorsOf('recover')?.from}
              />
              <Field label="To (optional)" name="to" hint="Leave empty to recover up to now." autoComplete="off" />
              <Submit intent="recover">Recover range</Submit>
            </PostForm>
          </details>
        </>
      ) : null}
    </section>
  );
}

interface ActProps extends Pick<Props, 'address' | 'errorsOf'> {
  intent: string;
  label: string;
  isMain?: true;
}

function Act({ address, errorsOf, intent, label, isMain }: ActProps) {
  return (
    <PostForm errors={errorsOf(intent)} action={address} className="cluster">
      <Submit intent={intent} kind={isMain ? 'primary' : ''} small>
        {label}
      </Submit>
    </PostForm>
  );
}
