import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { formHead } from '../../../http/index.ts';
import { EVENT_TYPES } from '../../../webhooks/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import { Pager } from '../../design/pager.tsx';
import { formatNumber } from '../../model/format.ts';
import type { RefusedWebhookForm } from '../../model/webhooks.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { changeWebhook, readOwnWebhooks, requireEndpoint, type WebhookOutcome } from '../../server/webhooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { DayLimit, describeState, ShownSecret, StateBadge } from './endpoint-parts.tsx';
import '../dashboard.css';
import { Choice, Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';

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
  return data(outcome, responseOf(outcome));
}

function responseOf(outcome: WebhookOutcome): { status: number; headers: Record<string, string> } {
  const { status, headers } = outcome.kind === 'refused' ? formHead(outcome) : { status: 200, headers: {} };
  return { status, headers: { 'Cache-Control': 'no-store', ...headers } };
}

export default function Webhook() {
  const { endpoint, isOpen, types, feeds, attempts, at, pages, token } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  const errorsOf = (intent: string) => (refused?.intent === intent ? refused.errors : undefined);
  const address = `/dashboard/webhooks/${endpoint.id}`;
  return (
    <>
      <PageHead title={endpoint.description || endpoint.url} kind="Webhook" />
      <Notices outcome={outcome} />
      <EndpointFacts endpoint={endpoint} feeds={feeds} />
      <EndpointActions endpoint={endpoint} types={types} token={token} address={address} isOpen={isOpen} errorsOf={errorsOf} />
      <section className="stack" aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        {attempts.length === 0 ? <p className="quiet">No attempts yet. Send a test event.</p> : null}
        <AttemptList attempts={attempts} address={address} canResend={isOpen && endpoint.state === 'active'} />
        <Pager label="Pages of attempts" page={at} pages={pages} previous="Newer" next="Older" />
      </section>
      {isOpen ? <EditEndpoint address={address} refused={refused?.intent === 'save' ? refused : null} /> : null}
    </>
  );
}

/** The outcome of the last form; else what is known of the endpoint. */
function Notices({ outcome }: { outcome: ActionOutcome }) {
  const { endpoint, done, waitsUntil } = useLoaderData<typeof loader>();
  const notice = done && !outcome && Object.hasOwn(DONE, done) ? DONE[done as keyof typeof DONE] : null;
  const why = describeState(endpoint.state, endpoint.reason);
  return (
    <>
      {notice ? <Notice kind="good" title={notice} /> : null}
      {outcome?.kind === 'shown' ? <ShownSecret shown={outcome} /> : null}
      {waitsUntil ? <DayLimit until={waitsUntil} /> : null}
      {why ? <Notice kind="warn" title={why} /> : null}
    </>
  );
}

/** `refused`: the form as it was sent, if it was not saved. */
function EditEndpoint({ address, refused }: { address: string; refused: RefusedWebhookForm | null }) {
  const { endpoint, types, feeds, token } = useLoaderData<typeof loader>();
  const { url, description, eventTypes, feedId, payload, order, hasPublicKey: publicKey } = endpoint;
  return (
    <section className="card stack" aria-labelledby="edit">
      <h2 id="edit">Edit endpoint</h2>
      <EndpointForm
        types={types}
        feeds={feeds}
        token={token}
        address={address}
        draft={refused?.draft ?? { url, description, eventTypes, feedId, payload, order, publicKey }}
        errors={refused?.errors}
        submit="Save endpoint"
      />
    </section>
  );
}

type ActionOutcome = ReturnType<typeof useActionData<typeof action>>;

interface EndpointProps {
  endpoint: {
    url: string;
    state: 'unproven' | 'active' | 'paused' | 'stopped' | 'disabled';
    failures: number;
    failingSince: Date | null;
    openUntil: Date | null;
    pending: number;
    lastSuccessAt: Date | null;
    previousUntil: Date | null;
    feedId: string | null;
  };
  feeds: readonly { id: string; name: string }[];
}

/** How an endpoint is. */
function EndpointFacts({ endpoint, feeds }: EndpointProps) {
  const { url, state, failures, failingSince, openUntil, pending, lastSuccessAt, previousUntil, feedId } = endpoint;
  const filter = feedId === null ? 'Everything' : (feeds.find(({ id }) => id === feedId)?.name ?? 'A removed feed');
  return (
    <section className="card stack" aria-labelledby="health">
      <h2 id="health">
        Health <StateBadge state={state} failures={failures} />
      </h2>
      <dl className="key-facts">
        <Fact name="URL">
          <code>{url}</code>
        </Fact>
        <Fact name="Filter">{filter}</Fact>
        <Fact name="Messages waiting">{formatNumber(pending)}</Fact>
        <Fact name="Last delivered">{lastSuccessAt ? <Moment at={lastSuccessAt} /> : 'Never'}</Fact>
        {failingSince ? (
          <Fact name="Failing since">
            <Moment at={failingSince} />, {`${failures} attempt${failures === 1 ? '' : 's'}`}
          </Fact>
        ) : null}
        {openUntil ? (
          <Fact name="Next attempt not before">
            <Moment at={openUntil} />
          </Fact>
        ) : null}
        {previousUntil ? (
          <Fact name="Old secret signs until">
            <Moment at={previousUntil} />
          </Fact>
        ) : null}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ShownAttempt {
  id: string;
  messageId: string;
  type: string;
  number: number;
  at: Date;
  outcome: string;
  status: number | null;
  detail: string | null;
  durationMs: number;
  requestHeaders: Record<string, string>;
  answerHeaders: Record<string, string>;
  answer: string;
}

function AttemptList({
  attempts,
  address,
  canResend,
}: {
  attempts: readonly ShownAttempt[];
  address: string;
  canResend: boolean;
}) {
  return (
    <ul className="stack tight">
      {attempts.map((attempt) => (
        <li key={attempt.id}>
          <details className="card">
            <summary>
              <Badge kind={attempt.outcome === 'delivered' ? 'good' : 'bad'}>{attempt.status ?? attempt.outcome}</Badge>{' '}
              <code>{attempt.type}</code> <Moment at={attempt.at} />{' '}
              <span className="quiet">{`attempt ${attempt.number}, ${attempt.durationMs} ms`}</span>
            </summary>
            <div className="stack tight">
              {attempt.detail ? <p>{attempt.detail}</p> : null}
              <Headers title="Request headers" headers={attempt.requestHeaders} />
              <Headers title="Response headers" headers={attempt.answerHeaders} />
              {attempt.answer ? (
                <>
                  <h4>Response</h4>
                  <pre>
                    <code>{attempt.answer}</code>
                  </pre>
                </>
              ) : null}
              {canResend ? (
                <PostForm action={address} className="cluster">
                  <input type="hidden" name="attempt" value={attempt.id} />
                  <Submit intent="resend" kind="" small>
                    Resend message
                  </Submit>
                </PostForm>
              ) : null}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <pre>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
}

interface ActionsProps {
  endpoint: { state: string };
  types: readonly { name: string }[];
  token: string;
  address: string;
  isOpen: boolean;
  errorsOf(intent: string): Record<string, string> | undefined;
}

/** What can be done with an endpoint. */
function EndpointActions({ endpoint: { state }, types, token, address, isOpen, errorsOf }: ActionsProps) {
  return (
    <section className="stack" aria-label="Actions">
      <div className="key-acts">
        {isOpen && state === 'unproven' ? (
          <Act address={address} errorsOf={errorsOf} intent="verify" label="Verify endpoint" isMain />
        ) : null}
        {isOpen && state === 'active' ? <Act address={address} errorsOf={errorsOf} intent="pause" label="Pause" /> : null}
        {isOpen && state !== 'active' && state !== 'unproven' ? (
          <Act address={address} errorsOf={errorsOf} intent="activate" label="Activate endpoint" isMain />
        ) : null}
        {isOpen ? (
          <details open={errorsOf('rotate') !== undefined}>
            <summary className="button small">Rotate secret</summary>
            <PostForm errors={errorsOf('rotate')} token={token} action={address} className="form">
              <p>You get a new secret. Messages are signed with both secrets for 24 hours.</p>
              <Submit intent="rotate" small>
                Rotate signing secret
              </Submit>
            </PostForm>
          </details>
        ) : null}
        <details>
          <summary className="button small danger">Remove</summary>
          <PostForm errors={errorsOf('remove')} action={address} className="form">
            <p>Nothing is sent to the endpoint any more, and messages that wait are dropped. You cannot undo this.</p>
            <Submit intent="remove" kind="danger" small>
              Remove endpoint permanently
            </Submit>
          </PostForm>
        </details>
      </div>
      {isOpen && state === 'active' ? (
        <>
          <PostForm errors={errorsOf('test')} action={address} className="form inline">
            <Choice label="Test event" name="type" options={types.map(({ name }) => ({ value: name, text: name }))} />
            <Submit intent="test">Send test event</Submit>
          </PostForm>
          <details open={errorsOf('recover') !== undefined}>
            <summary>Recover a range</summary>
            <PostForm errors={errorsOf('recover')} action={address} className="form">
              <p>Marquee sends the changes in the range again, with the current records. A range holds at most 10,000 changes.</p>
              <Field
                label="From"
                name="from"
                hint="A sequence number, or a time in UTC such as 2026-11-21T20:00."
                autoComplete="off"
                required
                error={errorsOf('recover')?.from}
              />
              <Field label="To (optional)" name="to" hint="Leave empty to recover up to now." autoComplete="off" />
              <Submit intent="recover">Recover range</Submit>
            </PostForm>
          </details>
        </>
      ) : null}
    </section>
  );
}

interface ActProps extends Pick<ActionsProps, 'address' | 'errorsOf'> {
  intent: string;
  label: string;
  isMain?: true;
}

function Act({ address, errorsOf, intent, label, isMain }: ActProps) {
  return (
    <PostForm errors={errorsOf(intent)} action={address} className="cluster">
      <Submit intent={intent} kind={isMain ? 'primary' : ''} small>
        {label}
      </Submit>
    </PostForm>
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
