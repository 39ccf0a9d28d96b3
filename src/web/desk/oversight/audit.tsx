import { Form, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { listAudit } from '../../../accounts/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Field } from '../../design/forms/field.tsx';
import { Empty } from '../../design/notice.tsx';
import { momentsOf } from '../../server/desk.ts';
import { pageOfSubject, viewEntry } from '../../server/desk-audit.ts';
import { rooms } from '../../server/rooms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { TimeText, Words } from './moments.tsx';
import './oversight.css';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const opened = page.context.get(rooms);
  const { searchParams } = new URL(page.request.url);
  const asked = (name: string) => searchParams.get(name)?.trim().slice(0, MAX_FILTER_CHARS).replaceAll('\0', '') ?? '';
  const query = { actor: asked('actor'), action: asked('action'), subject: asked('subject'), subjectId: asked('id') };
  const { rows, next } = await listAudit(opened.store.db, { ...query, after: searchParams.get('after') });
  const moments = momentsOf(opened);
  return {
    query,
    isFirst: !searchParams.has('after'),
    entries: rows.map((row) => ({ ...viewEntry(row, moments), page: pageOfSubject(row) })),
    older: next === null ? null : addressOf({ ...query, after: next }),
  };
}

export default function Audit() {
  const { entries, query, older, isFirst } = useLoaderData<typeof loader>();
  const isFiltered = Object.values(query).some(Boolean);
  return (
    <>
      <PageHead title="Audit log">All actions of operators, developers and the command line, latest first.</PageHead>
      <Form method="get" className="form inline audit-filters" key={JSON.stringify(query)}>
        <Field label="Actor" name="actor" defaultValue={query.actor} autoComplete="off" />
        <Field label="Action" name="action" defaultValue={query.action} placeholder="key.create, or key." autoComplete="off" />
        <Field label="Object type" name="subject" defaultValue={query.subject} placeholder="source" autoComplete="off" />
        <Field label="Object ID" name="id" defaultValue={query.subjectId} autoComplete="off" />
        <button type="submit" className="button">
          Find
        </button>
        {isFiltered ? (
          <Link className="button plain" to="/desk/audit">
            All
          </Link>
        ) : null}
      </Form>
      {entries.length === 0 ? (
        <Empty title="No entries">{isFiltered ? <p>No action matches these filters.</p> : null}</Empty>
      ) : (
        <ol className="audit">
          {entries.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {older || !isFirst ? (
        <nav className="pager" aria-label="Pages">
          {isFirst ? <span /> : <Link to={addressOf(query)}>Latest</Link>}
          {older ? <Link to={older}>Older</Link> : null}
        </nav>
      ) : null}
    </>
  );
}

type ShownEntry = ReturnType<typeof useLoaderData<typeof loader>>['entries'][number];

function AuditEntry({ entry }: { entry: ShownEntry }) {
  const { at, actor, actorId, action, subject, detail, address } = entry;
  return (
    <li>
      <div className="audit-when small quiet">
        <TimeText at={at} />
      </div>
      <div className="audit-what">
        <p>
          <Link to={addressOf({ actor: actorId ?? actor })} title="All actions of this actor">
            <Words>{actor}</Words>
          </Link>{' '}
          <code>{action}</code>
        </p>
        {subject || detail.length > 0 ? (
          <dl className="audit-detail small">
            <AuditSubject entry={entry} />
            {detail.map(({ name, value }) => (
              <div key={name}>
                <dt>
                  <Words>{name}</Words>
                </dt>
                <dd>
                  <Words>{value}</Words>
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
      <div className="small quiet audit-address">{address ? <Words>{address}</Words> : null}</div>
    </li>
  );
}

function AuditSubject({ entry: { subject, subjectId, page } }: { entry: ShownEntry }) {
  if (!subject) return null;
  return (
    <div>
      <dt>
        <Words>{subject}</Words>
      </dt>
      <dd>
        {page && subjectId ? (
          <Link to={page}>
            <Words>{subjectId}</Words>
          </Link>
        ) : (
          <Words>{subjectId ?? ''}</Words>
        )}
      </dd>
    </div>
  );
}

function addressOf({
  subjectId,
  ...query
}: {
  actor?: string;
  action?: string;
  subject?: string;
  subjectId?: string;
  after?: string;
}): string {
  const wanted = Object.entries({ ...query, id: subjectId }).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return `/desk/audit?${new URLSearchParams(wanted)}`;
}

const MAX_FILTER_CHARS = 320;
