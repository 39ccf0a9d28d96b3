import { type ActionFunctionArgs, Link, useActionData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { readForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectWith, refused } from '../../server/sign-in.ts';

export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const answer = await page.context.get(rooms).signIn.deleteAccount(callerOf(page), { current: field('current') });
  return answer.ok ? redirectWith(answer.setCookies, '/sign-in?done=deleted') : refused(answer);
}

/** Without a loader nobody would ask whether the reader is signed in. */
export const loader = () => null;

export default function AccountDelete() {
  const formResult = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Delete account">You cannot undo this.</PageHead>
      <section className="card stack">
        <ul>
          <li>All keys are revoked. The API rejects them within a second.</li>
          <li>Plans end. Subscriptions at Stripe are canceled first.</li>
          <li>Sessions, passkeys, two-factor sign-in, your name and your address are removed.</li>
          <li>Past request counts are kept without your name. A mailbox gets only one trial.</li>
        </ul>
        <PostForm errors={formResult?.errors}>
          <Field
            label="Current password"
            hint="To confirm that it is you."
            name="current"
            type="password"
            autoComplete="current-password"
            required
            error={formResult?.errors.current}
          />
          <div className="cluster">
            <Submit kind="danger">Delete account permanently</Submit>
            <Link className="button plain" to="/dashboard/account">
              Keep account
            </Link>
          </div>
        </PostForm>
      </section>
    </>
  );
}
