import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { Notice } from '../../design/notice.tsx';
import { readInbox } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const isReset = new URL(page.request.url).searchParams.get('for') === 'reset';
  return { isReset, ...(await readInbox(page)) };
}

/** The same whether there was an account or not. */
export default function CheckMail() {
  const { isReset, email, emailId, welcomeFile } = useLoaderData<typeof loader>();
  const address = email ?? 'the address you gave';
  return (
    <TaskPage
      title="Check your inbox"
      lead={
        isReset
          ? `If ${address} has an account, we sent an email to it. The link works once, for 30 minutes.`
          : `We sent an email to ${address}. Open its link to continue. The link works for 24 hours.`
      }
      foot={
        <p>
          No email? Check your spam folder, or <Link to={isReset ? '/forgot' : '/sign-up'}>try again</Link>.
          {isReset ? ' If several emails were requested, use a link from an earlier email of the last 30 minutes.' : null}
        </p>
      }
    >
      {emailId ? (
        <Notice title="No mail server is set">
          <div className="stack tight">
            <p>Emails are saved as files in the data folder. Nothing is sent.</p>
            <p>
              <Link className="button small" to={`/letters/${emailId}`}>
                Read this email
              </Link>
            </p>
          </div>
        </Notice>
      ) : null}
      {welcomeFile ? (
        <Notice title="No mail server is set">
          <div className="stack tight">
            <p>Emails are saved as files in the data folder. Nothing is sent.</p>
            <p>
              To read emails in this browser, open the link that <code>npm start</code> printed. It is also in the file{' '}
              <code>{welcomeFile}</code> of the data folder. Then reload this page.
            </p>
          </div>
        </Notice>
      ) : null}
    </TaskPage>
  );
}
