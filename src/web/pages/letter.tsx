import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { readLetter } from '../server/asking.ts';
import { Door } from './people/door.tsx';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

/** For a developer whose letters become files. */
export function loader({ params, context }: LoaderFunctionArgs) {
  const letter = readLetter({ context }, params.id ?? '');
  if (!letter) throw data(null, { status: 404 });
  const { to, subject, text } = letter;
  return { to, subject, parts: text.split(/(https?:\/\/\S+)/) };
}

export default function Letter() {
  const { to, subject, parts } = useLoaderData<typeof loader>();
  return (
    <Door title={subject} lead={`An email to ${to}. It was not sent because no mail server is set.`}>
      <p className="letter-text">
        {parts.map((part, i) =>
          i % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a letter never change places
            <a key={i} href={part}>
              {part}
            </a>
          ) : (
            part
          ),
        )}
      </p>
    </Door>
  );
}
