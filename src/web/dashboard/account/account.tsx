import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import type { SessionListing } from '../../../accounts/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import type { FormResult } from '../../model/account.ts';
import { readAccount, submitForm } from '../../server/account.ts';
import { unknownForm } from '../../server/forms.ts';
import { requireViewer } from '../../server/viewer.ts';
import { Passkeys } from './passkeys.tsx';
import { TwoFactor } from './two-factor.tsx';
import './account.css';

export async function loader(page: LoaderFunctionArgs) {
  const viewer = await requireViewer(page);
  return { ...(await readAccount(page, viewer)), done: new URL(page.request.url).searchParams.get('done') };
}

export async function action(page: ActionFunctionArgs) {
  await requireViewer(page);
  const settled = await submitForm(page);
  if (!settled) throw unknownForm();
  return settled;
}

export default function Account() {
  const { viewer, passkeys, passkeysWork, sessions, done } = useLoaderData<typeof loader>();
  const formResult = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Account">{viewer.email}</PageHead>
      {done && !formResult && Object.hasOwn(DONE, done) ? <Notice kind="good">{DONE[done as keyof typeof DONE]}</Notice> : null}
      <div className="halves">
        <NameForm name={viewer.name} formResult={formResult} />
        <PasswordForm email={viewer.email} formResult={formResult} />
      </div>
      <TwoFactor isOn={viewer.twoFactor} formResult={formResult} />
      <Passkeys passkeys={passkeys} work={passkeysWork} formResult={formResult} />
      <Sessions sessions={sessions} formResult={formResult} />
      <DeleteAccount />
    </>
  );
}

function DeleteAccount() {
  return (
    <section className="card stack setting" aria-labelledby="leaving">
      <h2 id="leaving">Delete account</h2>
      <p>Your keys stop working within a second, and your name and address are removed. You cannot undo this.</p>
      <p>
        <Link className="button danger" to="/dashboard/account/delete">
          Delete account
        </Link>
      </p>
    </section>
  );
}

function NameForm({ name, formResult }: { name: string; formResult: FormResult | undefined }) {
  const refused = formResult?.ok === false && formResult.about === 'name' ? formResult : undefined;
  return (
    <section className="card stack setting" aria-labelledby="name">
      <h2 id="name">Name</h2>
      <PostForm errors={refused?.errors}>
        <Field
          label="Display name"
          hint="Only you and the operator of this service see it."
          name="name"
          autoComplete="name"
          defaultValue={refused?.typed.name ?? name}
          error={refused?.errors.name}
        />
        <Submit intent="name" kind="">
          Save name
        </Submit>
      </PostForm>
    </section>
  );
}

function PasswordForm({ email, formResult }: { email: string; formResult: FormResult | undefined }) {
  const errors = formResult?.ok === false && formResult.about === 'password' ? formResult.errors : undefined;
  return (
    <section className="card stack setting" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <PostForm errors={errors}>
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errors?.current}
        />
        <Field
          label="New password"
          hint="10 characters or more. All other sessions end."
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={errors?.password}
        />
        <Submit intent="password" kind="">
          Change password
        </Submit>
      </PostForm>
    </section>
  );
}

function Sessions({ sessions, formResult }: { sessions: SessionListing[]; formResult: FormResult | undefined }) {
  const errorsOf = (about: string) => (formResult?.ok === false && formResult.about === about ? formResult.errors : undefined);
  return (
    <section className="card stack setting" aria-labelledby="sessions">
      <h2 id="sessions">Active sessions</h2>
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{session.device}</strong> {session.isCurrent ? <Badge kind="good">this device</Badge> : null}
              <div className="small quiet">
                {session.address || 'unknown address'}, since <Moment at={session.createdAt} />, last used{' '}
                <Moment at={session.lastUsedAt} />
              </div>
            </div>
            {session.isCurrent ? null : (
              <PostForm className="cluster" errors={errorsOf(`session-end ${session.id}`)}>
                <input type="hidden" name="id" value={session.id} />
                <Submit intent="session-end" kind="" small>
                  {' '}
                  Sign out<span className="visually-hidden"> the session of {session.device}</span>
                </Submit>
              </PostForm>
            )}
          </li>
        ))}
      </ul>
      <div className="cluster">
        {sessions.length > 1 ? (
          <PostForm className="cluster" errors={errorsOf('sessions-end')}>
            <Submit intent="sessions-end" kind="">
              Sign out everywhere else
            </Submit>
          </PostForm>
        ) : null}
        <PostForm className="cluster" action="/sign-out">
          <Submit kind="">Sign out of this device</Submit>
        </PostForm>
      </div>
    </section>
  );
}

const DONE = {
  name: 'Your name is changed.',
  password: 'Your password is changed, and all other sessions were ended.',
  'two-factor-on': 'Two-factor sign-in is on.',
  'two-factor-off': 'Two-factor sign-in is off.',
  'passkey-added': 'The passkey is added.',
  'passkey-renamed': 'The passkey is renamed.',
  'passkey-removed': 'The passkey is removed.',
  'session-ended': 'That session is ended.',
  'sessions-ended': 'All other sessions are ended.',
} as const;
