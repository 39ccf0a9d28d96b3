import { useEffect, useState } from 'react';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  useSubmit,
} from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { askPasskeyOptions, getPasskey } from '../../design/forms/passkey.ts';
import { Notice } from '../../design/notice.tsx';
import { readForm } from '../../server/forms.ts';
import { localPath } from '../../server/local-path.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectToInbox, redirectWith, refused } from '../../server/sign-in.ts';
import { readViewer } from '../../server/viewer.ts';
import { TaskPage } from './task-page.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const { searchParams } = new URL(page.request.url);
  const next = localPath(searchParams.get('next'), '/dashboard');
  if (await readViewer(page)) throw redirect(next);
  return { next, done: searchParams.get('done'), hasPasskeys: page.context.get(rooms).signIn.passkeysWork };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const next = localPath(field('next'), '/dashboard');
  const { signIn } = page.context.get(rooms);
  const caller = callerOf(page);
  if (field('intent') === 'passkey') {
    const answer = await signIn.signInWithPasskey(caller, { response: readJson(field('response')) });
    return answer.ok ? redirectWith(answer.setCookies, next) : refused(answer, {}, 'passkey');
  }
  const email = field('email');
  const answer = await signIn.signIn(caller, { email, password: field('password') });
  // The password was right: only the address is not confirmed yet, and another e-mail has left.
  if (!answer.ok && answer.reason === 'unverified') return redirectToInbox(page, 'sign-up', email.trim(), []);
  if (!answer.ok) return refused(answer, { email });
  return redirectWith(answer.setCookies, answer.secondFactor ? `/sign-in/code?next=${encodeURIComponent(next)}` : next);
}

export default function SignIn() {
  const { next, done, hasPasskeys } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const ofPassword = result?.about === '' ? result : undefined;
  return (
    <TaskPage
      title="Sign in"
      foot={
        <>
          <p>
            <Link to="/forgot">Forgot your password?</Link>
          </p>
          <p>
            New to Marquee? <Link to="/sign-up">Get a key</Link>
          </p>
        </>
      }
    >
      {done && !result && Object.hasOwn(DONE, done) ? <Notice kind="good">{DONE[done as keyof typeof DONE]}</Notice> : null}
      <PostForm errors={ofPassword?.errors}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={result?.typed.email ?? ''}
          error={ofPassword?.errors.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={ofPassword?.errors.password}
        />
        <Submit intent="password">Sign in</Submit>
      </PostForm>
      {result?.reason === 'too_many_passwords' ? (
        <>
          <p className="or">or</p>
          <PostForm action="/forgot">
            <input type="hidden" name="email" value={result.typed.email ?? ''} />
            <p>We can send a link to your address. Open it in this browser. Then sign in with your password.</p>
            <Submit kind="">Send link</Submit>
          </PostForm>
        </>
      ) : null}
      {hasPasskeys ? (
        <>
          <p className="or">or</p>
          <PasskeySignIn next={next} error={result?.about === 'passkey' ? result.errors.form : undefined} />
        </>
      ) : null}
    </TaskPage>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Asks the device, then sends its answer as a form. Without scripts there is no way to ask. */
function PasskeySignIn({ next, error }: { next: string; error: string | undefined }) {
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

const DONE = {
  reset: 'Your password is changed and all sessions have ended. Sign in with the new password.',
  set: 'Your password is set. Sign in with it.',
  kept: 'This browser can sign in now. Sign in with your password.',
  out: 'You are signed out.',
  deleted: 'Your account is deleted.',
} as const;
