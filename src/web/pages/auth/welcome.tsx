import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { rooms } from '../../server/rooms.ts';
import { readWelcomeLink, redirectWith, WELCOME_FILE } from '../../server/sign-in.ts';
import { TaskPage } from './task-page.tsx';

export const headers = () => ({ 'Referrer-Policy': 'no-referrer' });

/** The link that `npm start` prints: it leads to the first page, which says nothing of it. */
export function loader(page: LoaderFunctionArgs) {
  if (!page.context.get(rooms).mailer.isReadable) throw data(null, { status: 404 });
  const cookie = readWelcomeLink(page);
  if (cookie !== null) throw redirectWith([cookie], '/');
  return { file: WELCOME_FILE };
}

export default function Welcome() {
  const { file } = useLoaderData<typeof loader>();
  return (
    <TaskPage title="This link does not work" lead="Its token is wrong, so this browser cannot read the emails of this service.">
      <p>
        Open the link that <code>npm start</code> printed. It is also in the file <code>{file}</code> of the data folder.
      </p>
    </TaskPage>
  );
}
