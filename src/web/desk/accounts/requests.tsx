import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { decideRequest, noticeOf, openAccountDesk } from '../../server/desk-accounts.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { RequestForm } from './request-form.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const { requests } = openAccountDesk(page.context);
  return { waiting: await requests.waiting(), token: newFormToken(), done: noticeOf(page.request.url) };
}

export async function action(page: ActionFunctionArgs) {
  const operator = await requireOperator(page);
  const form = await readFormData(page.request);
  const answer = await decideRequest(page.context, operator, form);
  if (answer.ok) return redirect(`/desk/requests?done=${answer.done}`);
  return data({ request: String(form.get('request')), error: answer.error, typedNote: answer.note?.typed }, { status: 400 });
}

export default function Requests() {
  const { waiting, token, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isShown = waiting.some(({ id }) => id === refused?.request);
  return (
    <>
      <PageHead title="Plan requests">Plan requests of developers, oldest first. Decisions take effect within a second.</PageHead>
      {done && !refused ? <Notice kind="good">{done}</Notice> : null}
      {refused && !isShown ? <Notice kind="bad">{refused.error}</Notice> : null}
      {waiting.map((request) => (
        <article key={request.id} className="card stack" aria-labelledby={`request-${request.id}`}>
          <h2 id={`request-${request.id}`}>
            <Link to={`/desk/accounts/${request.accountId}`}>{request.email}</Link>
          </h2>
          <RequestForm
            request={request}
            token={token}
            error={refused?.request === request.id ? refused.error : undefined}
            typedNote={refused?.request === request.id ? refused.typedNote : undefined}
          />
        </article>
      ))}
      {waiting.length === 0 ? (
        <Empty title="No requests">
          <p>Plan requests appear here and on the account’s page.</p>
        </Empty>
      ) : null}
    </>
  );
}
