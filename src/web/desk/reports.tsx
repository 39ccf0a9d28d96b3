import {
  type ActionFunctionArgs,
  data,
  Form,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { PageHead } from '../design/admin-layout.tsx';
import { Choice, Field } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Badge, Empty, Notice } from '../design/notice.tsx';
import { readAct } from '../server/desk.ts';
import { actOnReport, readReportList } from '../server/desk-reports.ts';
import { newFormToken } from '../server/forms.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { TimeAway, Words } from './oversight/moments.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const { searchParams } = new URL(page.request.url);
  const list = await readReportList(page.context.get(rooms), searchParams);
  return { ...list, token: newFormToken(), isDone: searchParams.has('done') };
}

export async function action(page: ActionFunctionArgs) {
  const act = await readAct(page);
  const outcome = await actOnReport(act, page.context.get(rooms));
  return outcome.ok ? redirect('/desk/reports?done') : data(outcome, { status: 400 });
}

type ShownReport = ReturnType<typeof useLoaderData<typeof loader>>['reports'][number];
type Asked = ReturnType<typeof useLoaderData<typeof loader>>['asked'];

export default function Reports() {
  const { reports, asked, next, isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Reports">Problems that readers report. The same problem of a record is one report with a count.</PageHead>
      {isDone && !refused ? <Notice kind="good">The answer is saved. Readers who left an address get an email.</Notice> : null}
      {refused && !reports.some(({ id }) => id === refused.report) ? <Notice kind="bad">{refused.error}</Notice> : null}
      <Filters asked={asked} />
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {reports.length === 0 ? <Empty title={asked.state === 'open' ? 'No open reports' : 'No reports'} /> : null}
      {next ? (
        <nav className="pager" aria-label="Pages">
          <Link className="button" to={addressOf(asked, next)}>
            More reports
          </Link>
        </nav>
      ) : null}
    </>
  );
}

function Filters({ asked: { state, kind, entity } }: { asked: Asked }) {
  return (
    <search>
      <Form className="form inline" action="/desk/reports">
        <Choice label="State" name="state" defaultValue={state ?? 'any'} options={STATES} />
        <Choice label="Problem" name="kind" defaultValue={kind ?? ''} options={[{ value: '', text: 'All' }, ...KINDS]} />
        <Choice label="Record" name="entity" defaultValue={entity ?? ''} options={ENTITIES} />
        <button type="submit" className="button">
          Show
        </button>
      </Form>
    </search>
  );
}

function Report({ report }: { report: ShownReport }) {
  const { id, entity, recordId, kind, title, slug, reporters, waiting, first, last, words, state } = report;
  return (
    <article className="card stack" aria-labelledby={`report-${id}`}>
      <h2 id={`report-${id}`}>
        <Words>{title ?? 'Unknown record'}</Words>
      </h2>
      <p className="cluster">
        <Badge kind="warn">{KINDS.find(({ value }) => value === kind)?.text}</Badge>
        <span>{reporters === 1 ? 'reported once' : `reported ${reporters} times`}</span>
        <span className="small quiet">
          first <TimeAway at={first} />, last <TimeAway at={last} />
        </span>
      </p>
      {words.length > 0 ? (
        <ul className="stack tight">
          {words.map(({ text, at }) => (
            <li key={at.iso + text}>
              <Words>{text}</Words> <span className="small quiet">{at.away}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="cluster">
        <Link to={`/desk/${entity}s/${recordId}`}>Open the {entity} to correct it</Link>
        {slug ? <a href={`/${entity}s/${slug}`}>Public page</a> : null}
      </p>
      {state === 'open' ? <Answer id={id} waiting={waiting} /> : <Answered report={report} />}
    </article>
  );
}

function Answered({ report: { state, answered, answeredBy, note } }: { report: ShownReport }) {
  return (
    <p>
      <strong>{STATES.find(({ value }) => value === state)?.text}</strong> by <Words>{answeredBy ?? ''}</Words>,{' '}
      <TimeAway at={answered} />
      {note ? (
        <>
          : <Words>{note}</Words>
        </>
      ) : null}
    </p>
  );
}

function Answer({ id, waiting }: { id: string; waiting: number }) {
  const { token } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const own = refused?.report === id ? refused : undefined;
  const told =
    waiting === 0 ? 'Nobody left an address, so the note stays at the desk.' : `The note is part of the email to ${waiting}.`;
  return (
    <PostForm token={token} errors={own && { form: own.error }}>
      <input type="hidden" name="report" value={id} />
      <Field label="Note (optional)" name="note" maxLength={1000} hint={told} defaultValue={own?.note} />
      <div className="cluster">
        <Submit intent="fixed">Fixed</Submit>
        <Submit intent="kept" kind="">
          Right as it is
        </Submit>
        <Submit intent="duplicate" kind="">
          Duplicate, merged
        </Submit>
      </div>
    </PostForm>
  );
}

function addressOf({ state, kind, entity }: Asked, after: string): string {
  const query = { state: state ?? 'any', ...(kind && { kind }), ...(entity && { entity }), after };
  return `/desk/reports?${new URLSearchParams(query)}`;
}

const KINDS = [
  { value: 'wrong_time', text: 'Wrong time' },
  { value: 'cancelled', text: 'Canceled' },
  { value: 'duplicate', text: 'Listed twice' },
  { value: 'closed', text: 'Closed' },
  { value: 'other', text: 'Other' },
] as const;
const STATES = [
  { value: 'open', text: 'Open' },
  { value: 'fixed', text: 'Fixed' },
  { value: 'kept', text: 'Right as it is' },
  { value: 'duplicate', text: 'Duplicate' },
  { value: 'any', text: 'All' },
] as const;
const ENTITIES = [
  { value: '', text: 'All' },
  { value: 'event', text: 'Events' },
  { value: 'venue', text: 'Venues' },
] as const;
