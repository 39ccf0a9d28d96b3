import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { Notice } from '../design/notice.tsx';
import { readLetter } from '../server/asking.ts';
import { Door } from './people/door.tsx';

export function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const letter = readLetter({ context }, searchParams.get('letter') ?? '');
  return { isReset: searchParams.get('for') === 'reset', letterId: letter?.id ?? null };
}

/** The same whether there was an account or not. */
export default function CheckMail() {
  const { isReset, letterId } = useLoaderData<typeof loader>();
  return (
    <Door
      title="Check your inbox"
      lead={
        isReset
          ? 'If the address has an account, we sent an email to it. The link works once, for 30 minutes.'
          : 'We sent an email to the address you gave. Open its link to continue. The link works for 24 hours.'
      }
      foot={
        <p>
          No email? Check your spam folder, or <Link to={isReset ? '/forgot' : '/sign-up'}>try again</Link>.
        </p>
      }
    >
      {letterId ? (
        <Notice title="No mail server is set">
          <div className="stack tight">
            <p>Emails are saved as files in the data folder. Nothing is sent.</p>
            <p>
              <Link className="button small" to={`/letters/${letterId}`}>
                Read this email
              </Link>
            </p>
          </div>
        </Notice>
      ) : null}
    </Door>
  );
}
