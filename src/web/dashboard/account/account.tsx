import { type ActionFunctionArgs, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import { readAccount, submitForm } from '../../server/account/account-settings.ts';
import { unknownForm } from '../../server/refusal.ts';
import { requireViewer } from '../../server/viewer.ts';
import { DeleteAccount } from './delete-account.tsx';
import { NameForm, PasswordForm } from './name-and-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
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
