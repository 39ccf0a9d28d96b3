import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { readForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectToInbox, refused } from '../../server/sign-in.ts';
import { readTiers } from '../../server/tiers.ts';
import { readViewer } from '../../server/viewer.ts';
import { TaskPage } from './task-page.tsx';

export async function loader(page: LoaderFunctionArgs) {
  if (await readViewer(page)) throw redirect('/dashboard');
  return { days: readTiers().trial.days };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const email = field('email');
  const { signIn } = page.context.get(rooms);
  const answer = await signIn.signUp(callerOf(page), { email, password: field('password') });
  if (!answer.ok) return refused(answer, { email });
  return redirectToInbox(page, 'sign-up', answer.email, answer.setCookies);
}

export default function SignUp() {
  const { days } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <TaskPage
      title="Get a key"
      lead={`${days} days free from the moment you confirm your address. No card, and you are not charged automatically.`}
      foot={
        <p>
          Already have an account? <Link to="/sign-in">Sign in</Link>
        </p>
      }
    >
      <PostForm errors={result?.errors}>
        <Field
          label="Email address"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={result?.typed.email ?? ''}
          error={result?.errors.email}
        />
        <Field
          label="Password"
          hint="10 characters or more. A short phrase is easier to remember than symbols."
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={result?.errors.password}
        />
        <Submit>Sign up</Submit>
      </PostForm>
    </TaskPage>
  );
}
