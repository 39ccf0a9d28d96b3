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
      title="Look into your mail"
      lead={
        isReset
          ? 'If the address has an account, a letter is on its way to it. Its link works once, for 30 minutes.'
          : 'A letter is on its way to the address you gave. Open the link in it to go on; it works for 24 hours.'
      }
      foot={
        <p>
          Nothing came? Look into the folder for spam, or <Link to={isReset ? '/forgot' : '/sign-up'}>try again</Link>.
        </p>
      }
    >
      {letterId ? (
        <Notice title="No mail server is set">
          <div className="stack tight">
            <p>Letters are files in the data folder. Nothing is sent.</p>
            <p>
              <Link className="button small" to={`/letters/${letterId}`}>
                Read this one
              </Link>
            </p>
          </div>
        </Notice>
      ) : null}
    </Door>
  );
}
