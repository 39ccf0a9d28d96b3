import { type ActionFunctionArgs, Link, useActionData } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { readForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectToInbox, refused } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const email = field('email');
  const answer = await page.context.get(rooms).signIn.requestReset(callerOf(page), { email });
  if (!answer.ok) return refused(answer, { email });
  return redirectToInbox(page, 'reset', answer.email, answer.setCookies);
}

export default function Forgot() {
  const result = useActionData<typeof action>();
  return (
    <TaskPage
      title="Choose a new password"
      lead="We will send a link to your address. With it, you can also sign in from a new browser and keep your password. It works once, for 30 minutes."
      foot={
        <p>
          <Link to="/sign-in">Back to sign-in</Link>
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
        <Submit>Send link</Submit>
      </PostForm>
    </TaskPage>
  );
}
