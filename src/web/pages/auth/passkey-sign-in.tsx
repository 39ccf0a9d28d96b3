import { useEffect, useState } from 'react';
import { useNavigation, useSubmit } from 'react-router';
import { askPasskeyOptions, getPasskey } from '../../design/forms/passkey.ts';
import { Notice } from '../../design/notice.tsx';

/** Asks the device, then sends its answer as a form. Without scripts there is no way to ask. */
export function PasskeySignIn({ next, error }: { next: string; error: string | undefined }) {
  const submit = useSubmit();
  const navigation = useNavigation();
  const [state, setState] = useState<'unknown' | 'ready' | 'none' | 'asking' | 'failed'>('unknown');
  useEffect(() => setState('PublicKeyCredential' in globalThis ? 'ready' : 'none'), []);
  const isBusy = state === 'asking' || navigation.state !== 'idle';

  async function ask() {
    setState('asking');
    try {
      const response = await getPasskey(await askPasskeyOptions('sign-in'));
      setState('ready');
      await submit({ intent: 'passkey', next, response: JSON.stringify(response) }, { method: 'post' });
    } catch {
      setState('failed');
    }
  }

  const fault = error ?? (state === 'failed' ? 'No passkey was used. Try again, or use your password.' : null);
  return (
    <div className="form">
      {fault ? <Notice kind="bad">{fault}</Notice> : null}
      {state === 'none' ? <p className="small quiet">This browser does not support passkeys.</p> : null}
      {state === 'unknown' || state === 'none' ? null : (
        <button type="button" className="button" aria-disabled={isBusy || undefined} onClick={() => (isBusy ? null : ask())}>
          Sign in with a passkey{state === 'asking' ? <span aria-live="polite">…</span> : null}
        </button>
      )}
      <noscript>
        <p className="small quiet">Passkeys need JavaScript. Your password works without it.</p>
      </noscript>
    </div>
  );
}
