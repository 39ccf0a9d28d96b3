import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { readForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectWith, refused } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

export async function loader(page: LoaderFunctionArgs) {
  const token = new URL(page.request.url).searchParams.get('token') ?? '';
  return { token, ...(await page.context.get(rooms).signIn.readResetLink(callerOf(page), token)) };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const { signIn } = page.context.get(rooms);
  const token = field('token');
  if (field('intent') === 'keep') {
    const answer = await signIn.keepPassword(callerOf(page), { token });
    return answer.ok ? redirectWith(answer.setCookies, '/sign-in?done=kept') : refused(answer, {}, 'keep');
  }
  const answer = await signIn.reset(callerOf(page), { token, password: field('password') });
  return answer.ok ? redirectWith(answer.setCookies, `/sign-in?done=${answer.isFirst ? 'set' : 'reset'}`) : refused(answer);
}

export default function Reset() {
  const { token, isOpen, isFirst } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const errorsOf = (about: string) => (result?.about === about ? result.errors : undefined);
  if (!isOpen) {
    return (
      <TaskPage
        title="This sign-in link does not work"
        lead="It works once, for 30 minutes, and only until the password changes."
      >
        <p>
          <Link className="button primary" to="/forgot">
            Request another link
          </Link>
        </p>
      </TaskPage>
    );
  }
  return (
    <TaskPage
      title={isFirst ? 'Choose a password' : 'Choose a new password'}
      lead={isFirst ? 'Then sign in with it.' : 'This ends all your sessions. Then sign in with the new password.'}
    >
      <PostForm errors={errorsOf('')}>
        <input type="hidden" name="token" value={token} />
        <Field
          label={isFirst ? 'Password' : 'New password'}
          hint="10 characters or more."
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={errorsOf('')?.password}
        />
        <Submit intent="change">{isFirst ? 'Set password' : 'Change password'}</Submit>
      </PostForm>
      {isFirst ? null : (
        <>
          <p className="or">or</p>
          <PostForm errors={errorsOf('keep')}>
            <input type="hidden" name="token" value={token} />
            <p>If you know your password, keep it. You can then sign in with it in this browser.</p>
            <Submit intent="keep" kind="">
              Keep password
            </Submit>
          </PostForm>
        </>
      )}
    </TaskPage>
  );
}
