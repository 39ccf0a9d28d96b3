import { useEffect, useState } from 'react';
import { useNavigation, useSubmit } from 'react-router';
import type { PasskeyListing } from '../../../accounts/index.ts';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { askPasskeyOptions, createPasskey, PasskeyError } from '../../design/forms/passkey.ts';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import type { FormResult } from '../../model/account.ts';

export function Passkeys({
  passkeys,
  work,
  formResult,
}: {
  passkeys: PasskeyListing[];
  work: boolean;
  formResult: FormResult | undefined;
}) {
  const refused = (about: string) => (formResult?.ok === false && formResult.about === about ? formResult : undefined);
  return (
    <section className="card stack setting" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>Sign in with your phone, computer or security key instead of a password and code.</p>
      {passkeys.length > 0 ? (
        <ul className="rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong> {passkey.isSynced ? <Badge>synced</Badge> : null}
                {passkey.createdAt ? (
                  <div className="small quiet">
                    added <Moment at={passkey.createdAt} as="day" />
                  </div>
                ) : null}
              </div>
              <PostForm className="cluster" errors={refused(`passkey-remove ${passkey.id}`)?.errors}>
                <input type="hidden" name="id" value={passkey.id} />
                <Submit intent="passkey-remove" kind="danger" small>
                  Remove<span className="visually-hidden"> {passkey.name}</span>
                </Submit>
              </PostForm>
              <details className="rename" open={refused(`passkey-rename ${passkey.id}`) ? true : undefined}>
                <summary>
                  Rename<span className="visually-hidden"> {passkey.name}</span>
                </summary>
                <PostForm className="form inline" errors={refused(`passkey-rename ${passkey.id}`)?.errors}>
                  <input type="hidden" name="id" value={passkey.id} />
                  <Field
                    label="New name"
                    name="name"
                    defaultValue={passkey.name}
                    error={refused(`passkey-rename ${passkey.id}`)?.errors.name}
                  />
                  <Submit intent="passkey-rename" kind="" small>
                    Rename passkey
                  </Submit>
                </PostForm>
              </details>
            </li>
          ))}
        </ul>
      ) : null}
      {work ? (
        <AddPasskey error={refused('passkey-add')?.errors} />
      ) : (
        <p className="small quiet">
          Passkeys need a host name. Set MARQUEE_PUBLIC_URL to a name, such as http://localhost:3000, and open the site there.
        </p>
      )}
    </section>
  );
}

function AddPasskey({ error }: { error: Record<string, string> | undefined }) {
  const submit = useSubmit();
  const navigation = useNavigation();
  const [state, setState] = useState<'unknown' | 'ready' | 'none' | 'asking'>('unknown');
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => setState('PublicKeyCredential' in globalThis ? 'ready' : 'none'), []);
  const isBusy = state === 'asking' || navigation.state !== 'idle';

  async function add(form: FormData) {
    setState('asking');
    setFault(null);
    try {
      const response = await createPasskey(await askPasskeyOptions('add'));
      const name = String(form.get('name') ?? '');
      await submit({ intent: 'passkey-add', name, response: JSON.stringify(response) }, { method: 'post' });
    } catch (failure) {
      setFault(failure instanceof PasskeyError ? failure.message : 'No passkey was created. Nothing was changed.');
    }
    setState('ready');
  }

  const shown = error?.form ?? fault;
  return (
    <>
      {shown ? <Notice kind="bad">{shown}</Notice> : null}
      {state === 'none' ? <p className="small quiet">This browser does not support passkeys.</p> : null}
      {state === 'ready' || state === 'asking' ? (
        <form
          className="form inline"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) void add(new FormData(event.currentTarget));
          }}
        >
          <Field label="Name of the new passkey" name="name" defaultValue="" placeholder="Laptop" error={error?.name} />
          <button type="submit" className="button" aria-disabled={isBusy || undefined}>
            Add a passkey
          </button>
        </form>
      ) : null}
      <noscript>
        <p className="small quiet">Adding a passkey needs JavaScript.</p>
      </noscript>
    </>
  );
}
