import { type ActionFunctionArgs, Link, useActionData } from 'react-router';
import { Field } from '../design/field.tsx';
import { PostForm, Submit } from '../design/form.tsx';
import { PageHead } from '../design/workroom.tsx';
import { callerOf, redirectWith, refused } from '../server/asking.ts';
import { readForm } from '../server/read-form.ts';
import { rooms } from '../server/rooms.ts';

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const answer = await page.context.get(rooms).signIn.deleteAccount(callerOf(page), { current: field('current') });
  return answer.ok ? redirectWith(answer.setCookies, '/sign-in?done=deleted') : refused(answer);
}

/** Without a loader nobody would ask whether the reader is signed in. */
export const loader = () => null;

export default function AccountDelete() {
  const said = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Delete the account">This cannot be undone.</PageHead>
      <section className="card stack">
        <ul>
          <li>All keys are revoked: the API refuses them within a second.</li>
          <li>Plans end. What is paid through Stripe is cancelled there first.</li>
          <li>Sessions, passkeys and two-factor sign-in are removed, and so are your name and your address, everywhere.</li>
          <li>Numbers of past requests stay, without a name. A mailbox that had its trial gets no second one.</li>
        </ul>
        <PostForm errors={said?.errors}>
          <Field
            label="Password"
            hint="To show that it is you."
            name="current"
            type="password"
            autoComplete="current-password"
            required
            error={said?.errors.current}
          />
          <div className="cluster">
            <Submit kind="danger">Delete for good</Submit>
            <Link className="button plain" to="/dashboard/account">
              Keep the account
            </Link>
          </div>
        </PostForm>
      </section>
    </>
  );
}
