import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { EVENT_TYPES } from '../../../webhooks/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import { newFormToken } from '../../server/idempotency.ts';
import { readFormData } from '../../server/read-form.ts';
import { changeWebhook } from '../../server/webhooks/change-webhook.ts';
import { readOwnWebhooks, requireEndpoint } from '../../server/webhooks/own-webhooks.ts';
import { AttemptList } from './attempt-list.tsx';
import { DayLimit } from './day-limit.tsx';
import { EndpointActs } from './endpoint-actions.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { describeState } from './endpoint-state.tsx';
import { ShownSecret } from './shown-secret.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const own = await readOwnWebhooks(page);
  const endpoint = await requireEndpoint(own, page.params.id);
  const { searchParams } = new URL(page.request.url);
  const attempts = await own.webhooks.endpoints.attempts(own.owner.accountId, endpoint.id);
  const pages = Math.max(1, Math.ceil(attempts.length / ATTEMPTS_A_PAGE));
  const at = Math.min(pages, Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1));
  return {
    endpoint,
    isOpen: own.isOpen,
    types: EVENT_TYPES.map(({ name, says }) => ({ name, says })),
    feeds: own.feeds.map(({ id, name }) => ({ id, name })),
    attempts: attempts.slice((at - 1) * ATTEMPTS_A_PAGE, at * ATTEMPTS_A_PAGE),
    at,
    pages,
    token: newFormToken(),
    done: searchParams.get('done'),
    waitsUntil: endpoint.state === 'active' ? await own.webhooks.endpoints.waitsUntil(own.owner.accountId) : null,
  };
}

export async function action(page: ActionFunctionArgs) {
  const own = await readOwnWebhooks(page);
  const { id } = await requireEndpoint(own, page.params.id);
  const outcome = await changeWebhook(own, await readFormData(page.request), id);
  if (outcome.kind === 'done')
    return redirect(outcome.id ? `/dashboard/webhooks/${id}?done=${outcome.what}` : '/dashboard/webhooks?removed', 303);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function Webhook() {
  const { endpoint, isOpen, types, feeds, attempts, at, pages, token, done, waitsUntil } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  const errorsOf = (intent: string) => (refused?.intent === intent ? refused.errors : undefined);
  const address = `/dashboard/webhooks/${endpoint.id}`;
  const why = describeState(endpoint.state, endpoint.reason);
  const told = done && !outcome && Object.hasOwn(DONE, done) ? DONE[done as keyof typeof DONE] : null;
  const { url, description, eventTypes, feedId, payload, order, hasPublicKey: publicKey } = endpoint;
  return (
    <>
      <PageHead title={description || url} kind="Webhook" />
      {told ? <Notice kind="good" title={told} /> : null}
      {outcome?.kind === 'shown' ? <ShownSecret shown={outcome} /> : null}
      {waitsUntil ? <DayLimit until={waitsUntil} /> : null}
      {why ? <Notice kind="warn" title={why} /> : null}
      <EndpointFacts endpoint={endpoint} feeds={feeds} />
      <EndpointActs {...{ endpoint, types, token, address, isOpen, errorsOf }} />
      <section className="stack" aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        {attempts.length === 0 ? <p className="quiet">No attempts yet. Send a test event.</p> : null}
        <AttemptList attempts={attempts} address={address} canResend={isOpen && endpoint.state === 'active'} />
        {pages > 1 ? (
          <nav className="pager" aria-label="Pages of attempts">
            {at > 1 ? <Link to={`?page=${at - 1}`}>Newer</Link> : <span />}
            <span className="quiet">{`Page ${at} of ${pages}`}</span>
            {at < pages ? <Link to={`?page=${at + 1}`}>Older</Link> : <span />}
          </nav>
        ) : null}
      </section>
      {isOpen ? (
        <section className="card stack" aria-labelledby="edit">
          <h2 id="edit">Edit endpoint</h2>
          <EndpointForm
            {...{ types, feeds, token, address }}
            draft={
              errorsOf('save') && refused ? refused.draft : { url, description, eventTypes, feedId, payload, order, publicKey }
            }
            errors={errorsOf('save')}
            submit="Save endpoint"
          />
        </section>
      ) : null}
    </>
  );
}

const DONE = {
  saved: 'The endpoint is saved.',
  verified: 'The endpoint is verified and active.',
  paused: 'The endpoint is paused.',
  activated: 'The endpoint is active.',
  tested: 'The test event is on its way. Reload this page to see the attempt.',
  resent: 'The message is sent again. Reload this page to see the attempt.',
  recovered: 'Marquee is sending the changes in this range.',
} as const;
const ATTEMPTS_A_PAGE = 50;
