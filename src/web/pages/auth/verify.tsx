import { type ActionFunctionArgs, data, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { ShownKey } from '../../design/shown-key.tsx';
import type { Confirmed } from '../../model/account.ts';
import { readForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, confirmAddress, cookieHeaders, refused } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';
import './auth.css';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

export async function loader(page: LoaderFunctionArgs) {
  const token = new URL(page.request.url).searchParams.get('token') ?? '';
  const { signIn } = page.context.get(rooms);
  return { ...(await signIn.readVerification(callerOf(page), token)), token };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const answer = await confirmAddress(page, { token: field('token'), password: field('password') });
  if (!answer.ok) return refused(answer);
  const { shown, problem, setCookies } = answer;
  return data({ ok: true as const, shown, problem }, { headers: cookieHeaders(setCookies) });
}

export default function Verify() {
  const { state, email, needsPassword, hasTrial, token } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (answer?.ok) return <FirstKey shown={answer.shown} problem={answer.problem} />;
  if (state === 'done') {
    return (
      <TaskPage title="This address is confirmed" lead="Sign in to continue.">
        <p>
          <Link className="button primary" to="/sign-in">
            Sign in
          </Link>
        </p>
      </TaskPage>
    );
  }
  if (state === 'dead') {
    return (
      <TaskPage
        title="This confirmation link does not work"
        lead="A link works for 24 hours, or until the next sign-up with the same address. Sign in with your password to get another email, or sign up again."
      >
        <p className="cluster">
          <Link className="button primary" to="/sign-in">
            Sign in
          </Link>
          <Link className="button" to="/sign-up">
            Sign up
          </Link>
        </p>
      </TaskPage>
    );
  }
  return (
    <TaskPage
      title="Confirm your address"
      lead={
        needsPassword
          ? `${email} signed up in another browser. Enter your password to confirm that it was you.`
          : hasTrial
            ? `Your trial starts when you confirm ${email}. You get your first key at once.`
            : `Confirm ${email} to use your account. ${NO_TRIAL}`
      }
      foot={
        needsPassword ? (
          <p>If you did not choose a password, someone else signed up with your address. You can close this page.</p>
        ) : null
      }
    >
      <PostForm errors={answer?.errors}>
        <input type="hidden" name="token" value={token} />
        {needsPassword ? (
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={answer?.errors.password}
          />
        ) : null}
        <Submit>Confirm address</Submit>
      </PostForm>
    </TaskPage>
  );
}

/** After the address is confirmed: the first key, this once, and a request to paste. */
function FirstKey({ shown, problem }: Pick<Confirmed, 'shown' | 'problem'>) {
  return (
    <section className="column gap stack">
      <title>Your API key · Marquee</title>
      <h1>{shown ? 'Your API key' : 'Your address is confirmed'}</h1>
      {shown ? <ShownKey shown={shown} /> : null}
      {problem ? (
        <Notice kind="warn" title="You have no key yet">
          {problem} <Link to="/dashboard/plans">See the plans</Link>
        </Notice>
      ) : null}
      <p>
        <Link className="button" to="/dashboard">
          Go to the dashboard
        </Link>
      </p>
    </section>
  );
}

const NO_TRIAL = 'Then choose a plan. This account has no trial because your mailbox had a trial with another account.';
