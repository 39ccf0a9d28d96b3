import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { Field } from '../design/field.tsx';
import { PostForm, Submit } from '../design/form.tsx';
import { callerOf, redirectWith, refused } from '../server/asking.ts';
import { readForm } from '../server/read-form.ts';
import { rooms } from '../server/rooms.ts';
import { Door } from './people/door.tsx';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

export async function loader(page: LoaderFunctionArgs) {
  const token = new URL(page.request.url).searchParams.get('token') ?? '';
  const { signIn } = page.context.get(rooms);
  return { ...(await signIn.readVerification(callerOf(page), token)), token };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const { signIn } = page.context.get(rooms);
  const answer = await signIn.verifyEmail(callerOf(page), { token: field('token'), password: field('password') });
  return answer.ok ? redirectWith(answer.setCookies, '/dashboard') : refused(answer);
}

export default function Verify() {
  const { state, email, needsPassword, token } = useLoaderData<typeof loader>();
  const said = useActionData<typeof action>();
  if (state === 'done') {
    return (
      <Door title="This address is confirmed" lead="Sign in to continue.">
        <p>
          <Link className="button primary" to="/sign-in">
            Sign in
          </Link>
        </p>
      </Door>
    );
  }
  if (state === 'dead') {
    return (
      <Door
        title="This confirmation link does not work"
        lead="A link works for 24 hours, unless somebody signs up with the address again. Sign in with your password to get another email, or sign up again."
      >
        <p className="cluster">
          <Link className="button primary" to="/sign-in">
            Sign in
          </Link>
          <Link className="button" to="/sign-up">
            Sign up
          </Link>
        </p>
      </Door>
    );
  }
  return (
    <Door
      title="Confirm your address"
      lead={
        needsPassword
          ? `Somebody entered ${email} in another browser. Enter your password to show that it was you.`
          : `Your trial starts when you confirm ${email}.`
      }
      foot={
        needsPassword ? (
          <p>If you did not choose a password, somebody else signed up with your address. You can close this page.</p>
        ) : null
      }
    >
      <PostForm errors={said?.errors}>
        <input type="hidden" name="token" value={token} />
        {needsPassword ? (
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={said?.errors.password}
          />
        ) : null}
        <Submit>Confirm address</Submit>
      </PostForm>
    </Door>
  );
}
