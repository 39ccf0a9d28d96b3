import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { readForm } from '../../server/forms.ts';
import { localPath } from '../../server/local-path.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectWith, refused } from '../../server/sign-in.ts';
import { readViewer } from '../../server/viewer.ts';
import { TaskPage } from './task-page.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const next = localPath(new URL(page.request.url).searchParams.get('next'), '/dashboard');
  if (await readViewer(page)) throw redirect(next);
  return { next };
}

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const answer = await page.context.get(rooms).signIn.verifySecondFactor(callerOf(page), { code: field('code') });
  return answer.ok ? redirectWith(answer.setCookies, localPath(field('next'), '/dashboard')) : refused(answer);
}

export default function SignInCode() {
  const { next } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <TaskPage
      title="Enter your sign-in code"
      lead="Enter the code that your authenticator app shows for Marquee."
      foot={
        <p>
          <Link to={`/sign-in?next=${encodeURIComponent(next)}`}>Start over</Link>
        </p>
      }
    >
      <PostForm errors={result?.errors}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="Code"
          hint="Six digits. If you do not have your phone, enter a backup code."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={result?.errors.code}
        />
        <Submit>Continue</Submit>
      </PostForm>
    </TaskPage>
  );
}
