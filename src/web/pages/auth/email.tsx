import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { readKeptEmail } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

/** For a developer whose e-mails become files. */
export function loader(page: LoaderFunctionArgs) {
  const email = readKeptEmail(page, page.params.id ?? '');
  if (!email) throw data(null, { status: 404 });
  const { to, subject, text } = email;
  return { to, subject, parts: text.split(/(https?:\/\/\S+)/) };
}

export default function Email() {
  const { to, subject, parts } = useLoaderData<typeof loader>();
  return (
    <TaskPage title={subject} lead={`An email to ${to}. It was not sent because no mail server is set.`}>
      <p className="email-text">
        {parts.map((part, i) =>
          i % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an e-mail never change places
            <a key={i} href={part}>
              {part}
            </a>
          ) : (
            part
          ),
        )}
      </p>
    </TaskPage>
  );
}
