import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { EVENT_COLUMNS } from '../../../exports/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Choice } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';
import { Pager } from '../../design/pager.tsx';
import { DataTable } from '../../design/table.tsx';
import { changeExport, readExportPages, type ShownExport, showExport, titleOf } from '../../server/exports.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { formatBytes, formatRows, NoExports, REPEAT_NAMES, StateBadge } from './export-parts.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, exports, feeds, isOpen } = await readExportPages(page);
  const { searchParams } = new URL(page.request.url);
  const wanted = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1);
  const [schedules, { total, exports: list }] = await Promise.all([
    exports.schedules(owner.accountId),
    exports.list(owner.accountId, { limit: EXPORTS_A_PAGE, offset: (Math.min(wanted, MAX_PAGES) - 1) * EXPORTS_A_PAGE }),
  ]);
  return {
    isOpen,
    at: Math.min(wanted, MAX_PAGES),
    total,
    exports: list.map((each) => showExport(each, feeds)),
    schedules: schedules.map((request) => ({
      ...{ id: request.id, title: titleOf(request, feeds), repeat: request.repeat, nextAt: request.nextAt },
    })),
    feeds: feeds.map(({ id, name }) => ({ id, name })),
    columns: [...EVENT_COLUMNS],
    token: newFormToken(),
    done: searchParams.get('done'),
  };
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await changeExport(await readExportPages(page), await readFormData(page.request));
  if (outcome.kind === 'done') return redirect(`/dashboard/exports?done=${outcome.what}`, 303);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function Exports() {
  const { isOpen, at, total, exports, schedules, feeds, columns, token, done } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const error = outcome?.kind === 'refused' ? outcome.error : undefined;
  const notice = done && !outcome && Object.hasOwn(DONE, done) ? DONE[done as keyof typeof DONE] : null;
  return (
    <>
      <PageHead title="Exports">Download the directory, or the events of a feed, as files.</PageHead>
      {notice ? <Notice kind="good" title={notice} /> : null}
      {isOpen ? null : <NoExports has={total} />}
      <ScheduleList schedules={schedules} />
      <ExportList exports={exports} page={at} pages={Math.max(1, Math.ceil(total / EXPORTS_A_PAGE))} />
      {isOpen ? <ExportForm key={token} feeds={feeds} columns={columns} token={token} error={error} /> : null}
      {!isOpen && error ? <Notice kind="bad">{error}</Notice> : null}
    </>
  );
}

interface Props {
  feeds: readonly { id: string; name: string }[];
  columns: readonly string[];
  token: string;
  error: string | undefined;
}

/** What to export, how, and how often. */
function ExportForm({ feeds, columns, token, error }: Props) {
  return (
    <section className="card stack" aria-labelledby="new">
      <h2 id="new">New export</h2>
      <PostForm action="/dashboard/exports" token={token} errors={error ? { form: error } : undefined}>
        <Choice
          label="Content"
          name="content"
          hint="“Everything” includes all venues and events, also past and canceled events."
          options={[{ value: 'everything', text: 'Everything' }, ...feeds.map(({ id, name }) => ({ value: id, text: name }))]}
        />
        <Choice label="Format" name="format" options={FORMATS} />
        <Choice label="Repeat" name="repeat" options={REPEATS} />
        <Choice label="Columns of events" name="columns" options={COLUMNS} />
        <details>
          <summary>Choose columns</summary>
          <fieldset className="field">
            <legend>Used with “Only the columns below”</legend>
            <div className="cluster">
              {columns.map((name) => (
                <label key={name} className="choice">
                  <input type="checkbox" name="column" value={name} defaultChecked /> {name}
                </label>
              ))}
            </div>
          </fieldset>
        </details>
        <p>
          <Submit intent="create">Create export</Submit>
        </p>
      </PostForm>
    </section>
  );
}

/** The exports of one page of the list. */
function ExportList({ exports, page, pages }: { exports: readonly ShownExport[]; page: number; pages: number }) {
  if (exports.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="made">
      <h2 id="made">Your exports</h2>
      <DataTable
        stacks
        caption="All exports"
        head={['Export', 'State', { text: 'Rows', number: true }, { text: 'Size', number: true }, 'Requested']}
      >
        {exports.map(({ id, title, state, rows, bytes, queuedAt, isFull }) => (
          <tr key={id}>
            <td>
              <Link to={`/dashboard/exports/${id}`}>{title}</Link>
              {isFull === false ? ' (changes)' : null}
            </td>
            <td>
              <StateBadge state={state} />
            </td>
            <td className="number">{formatRows(rows)}</td>
            <td className="number">{formatBytes(bytes)}</td>
            <td>
              <Moment at={queuedAt} />
            </td>
          </tr>
        ))}
      </DataTable>
      <Pager label="Pages of exports" page={page} pages={pages} />
    </section>
  );
}

interface Schedule {
  id: string;
  title: string;
  repeat: keyof typeof REPEAT_NAMES;
  nextAt: Date | null;
}

/** Exports that repeat, each with the button that ends it. */
function ScheduleList({ schedules }: { schedules: readonly Schedule[] }) {
  if (schedules.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="schedules">
      <h2 id="schedules">Schedules</h2>
      <DataTable stacks caption="Exports that repeat" head={['Export', 'Repeat', 'Next', 'Stop']}>
        {schedules.map(({ id, title, repeat, nextAt }) => (
          <tr key={id}>
            <td>{title}</td>
            <td>{REPEAT_NAMES[repeat]}</td>
            <td>{nextAt ? <Moment at={nextAt} /> : null}</td>
            <td>
              <details>
                <summary className="button small danger">Remove</summary>
                <PostForm action="/dashboard/exports">
                  <input type="hidden" name="request" value={id} />
                  <p>The schedule ends, and its files and links return 410. You cannot undo this.</p>
                  <Submit intent="remove" kind="danger" small>
                    Remove schedule and files
                  </Submit>
                </PostForm>
              </details>
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

const DONE = {
  created: 'The export is requested. Reload this page to see its progress.',
  cancelled: 'The export is canceled.',
  removed: 'The export is removed. Its links now return 410.',
} as const;
const EXPORTS_A_PAGE = 25;
const MAX_PAGES = 10_000;
const FORMATS = [
  { value: 'ndjson', text: 'NDJSON: one JSON record per line' },
  { value: 'csv', text: 'CSV: for spreadsheets' },
  { value: 'geojson', text: 'GeoJSON: for maps' },
  { value: 'parquet', text: 'Parquet: for data tools' },
];
const REPEATS = [
  { value: 'once', text: 'Once' },
  { value: 'hourly', text: 'Every hour: changes, and a full export once a day' },
  { value: 'daily', text: 'Every day: a full export' },
];
const COLUMNS = [
  { value: 'all', text: 'All columns, with status and time of the last change' },
  { value: 'record', text: 'Whole records, exactly as GET /events/{id} returns them' },
  { value: 'chosen', text: 'Only the columns below' },
];
