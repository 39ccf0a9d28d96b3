import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type ActionFunctionArgs, data, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { formatJson } from '../design/format-json.ts';
import { Field } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Fields } from '../design/forms/query-fields.tsx';
import { JsonText } from '../design/json.tsx';
import { Badge, Notice } from '../design/notice.tsx';
import { useRoot } from '../design/use-root.ts';
import { formatNumber } from '../model/format.ts';
import { askFromBrowser, faultOf, isKey, type PlaygroundAnswer, tellingHeaders } from '../model/playground/answer.ts';
import { requestOf } from '../model/playground/endpoints.ts';
import { readPlayground, runPlayground } from '../server/playground.ts';
import { rooms } from '../server/rooms.ts';
import { RequestLines } from './request-lines.tsx';
import './playground.css';

export function loader({ request, context }: LoaderFunctionArgs) {
  return readPlayground(new URL(request.url).searchParams, context.get(rooms));
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await runPlayground(page);
  return data(outcome, { status: outcome.ok ? 200 : 400 });
}

export default function Playground() {
  const loaded = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const { endpoint, endpoints, base } = loaded;
  return (
    <div className="column gap stack loose">
      <title>Playground · Marquee</title>
      <meta name="description" content="Fill in an API request, run it with your key, and copy it as code." />
      <header className="stack tight">
        <p className="eyebrow">Playground</p>
        <h1>Try the API</h1>
        <p className="lead">Fill in a request, run it with your own key, and copy it as code.</p>
      </header>
      <div className="playground">
        <nav className="endpoints" aria-label="Endpoints">
          {endpoints.map(({ id, path, summary }) => (
            <Link
              key={id}
              to={`/playground?endpoint=${id}`}
              aria-current={id === endpoint.id ? 'page' : undefined}
              preventScrollReset
              title={summary}
            >
              {path}
            </Link>
          ))}
        </nav>
        {/* Another endpoint, or another request by address, is another form. */}
        <Bench
          key={`${endpoint.id} ${loaded.request.id} ${loaded.request.query.join('&')}`}
          endpoint={endpoint}
          base={base}
          first={sent?.request ?? loaded.request}
          answered={sent?.ok ? sent.answer : null}
          refused={sent && !sent.ok ? sent.errors : {}}
        />
      </div>
    </div>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

interface BenchProps extends Pick<Loaded, 'endpoint' | 'base'> {
  first: Loaded['request'];
  answered: PlaygroundAnswer | null;
  refused: Record<string, string>;
}

function Bench({ endpoint, base, first, answered, refused }: BenchProps) {
  const [request, setRequest] = useState(first);
  const [answer, setAnswer] = useState(answered);
  const [errors, setErrors] = useState(refused);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const keyInput = useRef<HTMLInputElement>(null);
  const answerPart = useRef<HTMLElement>(null);
  const kept = useKeptKey(keyInput);
  const isSignedIn = Boolean(useRoot()?.viewer);
  const [hasScripts, setHasScripts] = useState(false);
  useEffect(() => setHasScripts(true), []);

  const read = (form: HTMLFormElement) => requestOf(endpoint, base, new FormData(form));
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const asked = read(event.currentTarget);
    const key = keyInput.current?.value.trim() ?? '';
    const wrong = {
      ...faultOf(endpoint, asked),
      ...(isKey(key) ? {} : { key: 'Paste the whole key. It starts with mq_live_ or mq_test_.' }),
    };
    setRequest(asked);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    kept.remember();
    setBusy(true);
    setTrouble('');
    try {
      setAnswer(await askFromBrowser(asked, key));
      requestAnimationFrame(() => showAtLeastTop(answerPart.current));
    } catch {
      setTrouble('The request did not reach the service. Check your network connection.');
    } finally {
      setBusy(false);
    }
  };

  return (
    <PostForm
      className="query-columns"
      errors={errors}
      onSubmit={run}
      onChange={(event) => setRequest(read(event.currentTarget))}
      aria-label="Request"
    >
      <input type="hidden" name="endpoint" value={endpoint.id} />
      <div className="stack ask">
        <div className="stack tight">
          <h2 className="asked">
            <span className="method">GET</span> {endpoint.path}
          </h2>
          <p className="quiet">
            {endpoint.summary}. Tier {endpoint.tier}
            {endpoint.tier === 'enterprise' ? '' : ' or higher'};{' '}
            {endpoint.metered ? 'each run counts as one request' : 'not counted'}. <a href={`/docs#${endpoint.id}`}>Reference</a>
          </p>
        </div>
        <Fields endpoint={endpoint} request={first} errors={errors} />
      </div>
      <div className="query-result">
        <div className="run">
          <Field
            ref={keyInput}
            label="Your key"
            name="key"
            type="password"
            error={errors.key}
            autoComplete="off"
            spellCheck={false}
            placeholder="mq_live_…"
            hint={
              hasScripts
                ? 'The key stays on this page and is sent to this API only.'
                : 'The key is sent to this API only and is not stored. Paste it for each run.'
            }
          />
          {hasScripts ? (
            <label className="choice small">
              <input type="checkbox" checked={kept.keeps} onChange={(event) => kept.choose(event.currentTarget.checked)} />
              Remember key until this tab is closed
            </label>
          ) : null}
          <p className="cluster">
            <Submit intent="run">Run request</Submit>
            {hasScripts ? null : (
              <Submit intent="lines" kind="">
                Show code
              </Submit>
            )}
            <a href={isSignedIn ? '/dashboard/keys' : '/sign-up'} className="small">
              {isSignedIn ? 'Your keys' : 'No key yet?'}
            </a>
          </p>
        </div>
        <section className="stack" aria-labelledby="lines">
          <h2 id="lines">As code</h2>
          <RequestLines request={request} />
        </section>
        <section ref={answerPart} className="stack answer-part" aria-labelledby="answer" aria-live="polite" aria-busy={busy}>
          <h2 id="answer">Response</h2>
          {trouble ? <Notice kind="bad">{trouble}</Notice> : null}
          {answer ? (
            <AnswerText answer={answer} />
          ) : (
            <p className="no-result">{busy ? 'Sending request …' : 'No request sent yet.'}</p>
          )}
        </section>
      </div>
    </PostForm>
  );
}

/** On a phone the answer comes far below the button that asked for it. */
function showAtLeastTop(part: HTMLElement | null): void {
  if (part && part.getBoundingClientRect().top > innerHeight - MIN_SEEN_PX) part.scrollIntoView();
}

/** The key of the playground in the tab's own memory, if its reader asks for that: it ends with the tab. */
function useKeptKey(input: RefObject<HTMLInputElement | null>) {
  const [keeps, setKeeps] = useState(false);
  useEffect(() => {
    const kept = sessionStorage.getItem(NAME);
    if (kept === null || !input.current) return;
    input.current.value = kept;
    setKeeps(true);
  }, [input]);
  return {
    keeps,
    choose(wanted: boolean) {
      setKeeps(wanted);
      if (wanted && input.current?.value) sessionStorage.setItem(NAME, input.current.value.trim());
      if (!wanted) sessionStorage.removeItem(NAME);
    },
    /** The key that is run, where keys are kept. */
    remember() {
      if (keeps && input.current) sessionStorage.setItem(NAME, input.current.value.trim());
    },
  };
}

/** Status, time, what is left of the allowance, and the body as it is best read. */
function AnswerText({ answer }: { answer: PlaygroundAnswer }) {
  const { status, milliseconds, body } = answer;
  return (
    <div className="stack">
      <p className="cluster">
        <Badge kind={status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        <span>
          <span className="number">{milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}</span> ms
        </span>
        <span className="quiet number">{formatNumber(new Blob([body]).size)} bytes</span>
      </p>
      <details>
        <summary>Headers</summary>
        <dl className="facts header-list">
          {tellingHeaders(answer).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="answer-body" tabIndex={0}>
        <code>
          <JsonText text={readable(body)} />
        </code>
      </pre>
    </div>
  );
}

function readable(body: string): string {
  try {
    return formatJson(JSON.parse(body));
  } catch {
    return body;
  }
}

const MIN_SEEN_PX = 160;
const NAME = 'marquee-key';
