import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { listIncidents } from '../../status/index.ts';
import { PageHead } from '../design/admin-layout.tsx';
import { Choice, Field, TextArea } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Badge, Empty } from '../design/notice.tsx';
import type { FormattedMoment } from '../model/desk.ts';
import { momentsOf, readAct } from '../server/desk.ts';
import { actOnIncident } from '../server/desk-incidents.ts';
import { newFormToken } from '../server/forms.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { ActionNotice, TimeAway, Words } from './oversight/moments.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const opened = page.context.get(rooms);
  const moments = momentsOf(opened);
  const incidents = await listIncidents({ db: opened.store.db, now: opened.clocks.directory });
  return {
    done: new URL(page.request.url).searchParams.get('done'),
    token: newFormToken(),
    incidents: incidents.map(({ openedAt, closedAt, updates, ...incident }) => ({
      ...incident,
      isOpen: closedAt === null,
      opened: moments.format(openedAt),
      updates: updates.map(({ at, ...update }) => ({ ...update, at: moments.format(at) })),
    })),
  };
}

export async function action(page: ActionFunctionArgs) {
  const act = await readAct(page);
  const outcome = await actOnIncident(act, page.context.get(rooms));
  return outcome.ok ? redirect(`/desk/incidents?done=${outcome.done}`) : data(outcome, { status: 400 });
}

type Refused = Extract<Awaited<ReturnType<typeof actOnIncident>>, { ok: false }>;

export default function Incidents() {
  const { incidents, token, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const open = incidents.filter(({ isOpen }) => isOpen);
  const over = incidents.filter(({ isOpen }) => !isOpen);
  return (
    <>
      <PageHead title="Incidents">
        What readers of the <Link to="/status">status page</Link> are told. Everybody can read it, without an account.
      </PageHead>
      {refused ? null : <ActionNotice code={done} table={DONE} />}
      {open.map((incident) => (
        <OpenIncident key={`${incident.id} ${token}`} incident={incident} token={token} refused={refused} />
      ))}
      {open.length === 0 ? <Empty title="No open incident" /> : null}
      <section className="card stack" aria-labelledby="new-incident">
        <h2 id="new-incident">Open an incident</h2>
        <NewIncident key={token} token={token} refused={refused?.incident === null ? refused : undefined} />
      </section>
      {over.length > 0 ? (
        <section className="stack" aria-labelledby="over">
          <h2 id="over">The last 90 days</h2>
          {over.map(({ id, title, impact, opened, updates }) => (
            <article key={id} className="card stack">
              <h3>
                <Words>{title}</Words>
              </h3>
              <p className="small quiet">
                {impact}, opened <TimeAway at={opened} />
              </p>
              <Updates updates={updates} />
            </article>
          ))}
        </section>
      ) : null}
    </>
  );
}

interface IncidentView {
  id: string;
  title: string;
  impact: string;
  state: string;
  opened: FormattedMoment;
  updates: { id: string; at: FormattedMoment; state: string; message: string }[];
}

function OpenIncident({
  incident: { id, title, impact, state, opened, updates },
  token,
  refused,
}: {
  incident: IncidentView;
  token: string;
  refused: Refused | undefined;
}) {
  const own = refused?.incident === id ? refused : undefined;
  return (
    <article className="card stack" aria-labelledby={`incident-${id}`}>
      <h2 id={`incident-${id}`}>
        <Words>{title}</Words>
      </h2>
      <p className="cluster">
        <Badge kind={impact === 'major' ? 'bad' : 'warn'}>{impact}</Badge>
        <span className="small quiet">
          opened <TimeAway at={opened} />
        </span>
      </p>
      <Updates updates={updates} />
      <PostForm token={token} errors={own && { form: own.error }}>
        <input type="hidden" name="incident" value={id} />
        <Choice label="State" name="state" defaultValue={state} options={STATES} />
        <TextArea label="What is known now" name="message" rows={3} maxLength={2000} defaultValue={own?.typed.message} />
        <div>
          <Submit intent="update">Publish</Submit>
        </div>
      </PostForm>
    </article>
  );
}

function Updates({ updates }: Pick<IncidentView, 'updates'>) {
  return (
    <ol className="stack">
      {updates.map(({ id, at, state, message }) => (
        <li key={id}>
          <strong>{state}</strong>, <TimeAway at={at} />: <Words>{message}</Words>
        </li>
      ))}
    </ol>
  );
}

function NewIncident({ token, refused }: { token: string; refused: Refused | undefined }) {
  return (
    <PostForm token={token} errors={refused && { form: refused.error }}>
      <Field
        label="Title"
        name="title"
        maxLength={120}
        hint="What readers notice, such as “Search is slow”."
        defaultValue={refused?.typed.title}
      />
      <Choice label="Impact" name="impact" options={IMPACT_OPTIONS} />
      <TextArea label="What is known so far" name="message" rows={3} maxLength={2000} defaultValue={refused?.typed.message} />
      <div>
        <Submit intent="open">Open incident</Submit>
      </div>
    </PostForm>
  );
}

const DONE: Readonly<Record<string, string>> = {
  opened: 'The incident is on the status page.',
  updated: 'The update is on the status page.',
  closed: 'The incident is closed.',
};
const STATES = [
  { value: 'investigating', text: 'Investigating' },
  { value: 'identified', text: 'Cause identified' },
  { value: 'monitoring', text: 'Fixed, monitoring' },
  { value: 'resolved', text: 'Resolved (closes the incident)' },
] as const;
const IMPACT_OPTIONS = [
  { value: 'minor', text: 'Minor: something is slow or missing' },
  { value: 'major', text: 'Major: much does not work' },
  { value: 'maintenance', text: 'Maintenance: planned work' },
] as const;
