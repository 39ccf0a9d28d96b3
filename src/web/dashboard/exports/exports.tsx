import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { EVENT_COLUMNS } from '../../../exports/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import { changeExport } from '../../server/exports/change-export.ts';
import { readExportPages, showExport, titleOf } from '../../server/exports/own-exports.ts';
import { newFormToken } from '../../server/idempotency.ts';
import { readFormData } from '../../server/read-form.ts';
import { ExportForm } from './export-form.tsx';
import { ExportList } from './export-list.tsx';
import { NoExports } from './no-exports.tsx';
import { ScheduleList } from './schedule-list.tsx';
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

const DONE = {
  created: 'The export is requested. Reload this page to see its progress.',
  cancelled: 'The export is canceled.',
  removed: 'The export is removed. Its links now return 410.',
} as const;
const EXPORTS_A_PAGE = 25;
const MAX_PAGES = 10_000;
