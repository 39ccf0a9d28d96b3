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
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';
import type { ExportOutcome, ShownExport } from '../../model/exports.ts';
import { changeExport } from '../../server/exports/change-export.ts';
import { readExportPages, showExport } from '../../server/exports/own-exports.ts';
import { newFormToken } from '../../server/idempotency.ts';
import { readFormData } from '../../server/read-form.ts';
import { refusal } from '../../server/refusal.ts';
import { StateBadge } from './export-state.tsx';
import { FileList } from './file-list.tsx';
import { NoExports } from './no-exports.tsx';
import { RemoveExport } from './remove-export.tsx';
import { SecretLink } from './secret-link.tsx';
import { ShownLink } from './shown-link.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, exports, feeds, rooms, isOpen } = await readExportPages(page);
  const found = await exports.find(owner.accountId, page.params.id ?? '');
  if (!found) throw refusal(404, 'Export not found.');
  const request = await exports.findRequest(owner.accountId, found.export.requestId);
  const files = [{ name: 'manifest.json', bytes: null, rows: null }, ...(found.manifest?.files ?? [])];
  return {
    isOpen,
    shown: showExport(found.export, feeds),
    // Addresses are good for ten minutes: a page that was left open longer is loaded again.
    files: (found.manifest ? files : []).map(({ name, bytes, rows }) => ({
      ...{ name, bytes, rows },
      url: rooms.exportPath(found.export.id, name),
    })),
    isListed: request !== null,
    linkLast4: request?.linkLast4 ?? null,
    token: newFormToken(),
    isRevoked: new URL(page.request.url).searchParams.has('revoked'),
  };
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await changeExport(await readExportPages(page), await readFormData(page.request));
  if (outcome.kind === 'done' && outcome.what === 'revoked') {
    return redirect(`/dashboard/exports/${encodeURIComponent(page.params.id ?? '')}?revoked`, 303);
  }
  if (outcome.kind === 'done') return redirect(`/dashboard/exports?done=${outcome.what}`, 303);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function Export() {
  const { isOpen, shown, files, isListed, linkLast4, token, isRevoked } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const address = `/dashboard/exports/${shown.id}`;
  const { requestId } = shown;
  return (
    <>
      <PageHead title={shown.title} kind="Export">
        <Link to="/dashboard/exports">All exports</Link>
      </PageHead>
      {isOpen ? null : <NoExports has={1} />}
      <OutcomeNotice outcome={outcome} isRevoked={isRevoked} />
      <Progress shown={shown} address={address} />
      <FileList files={files} />
      {isListed ? (
        <SecretLink address={address} requestId={requestId} linkLast4={linkLast4} isOpen={isOpen} token={token} />
      ) : null}
      {isListed ? <RemoveExport address={address} requestId={requestId} /> : null}
    </>
  );
}

function OutcomeNotice({ outcome, isRevoked }: { outcome: ExportOutcome | undefined; isRevoked: boolean }) {
  if (outcome?.kind === 'shown') return <ShownLink key={outcome.url} url={outcome.url} />;
  if (outcome?.kind === 'refused') return <Notice kind="bad">{outcome.error}</Notice>;
  if (outcome || !isRevoked) return null;
  return (
    <Notice kind="good" title="The secret link is revoked.">
      It now returns 410.
    </Notice>
  );
}

/** How far the export is, what went wrong, and the button that cancels it. */
function Progress({ shown, address }: { shown: ShownExport; address: string }) {
  const { id, state, queuedAt, expiresAt, error, retryAt } = shown;
  const isActive = state === 'queued' || state === 'running';
  return (
    <>
      <p>
        <StateBadge state={state} /> requested <Moment at={queuedAt} />
        {expiresAt && state === 'ready' ? (
          <>
            , files are deleted <Moment at={expiresAt} />
          </>
        ) : null}
      </p>
      {error ? <Notice kind="warn" title={error} /> : null}
      {retryAt ? (
        <Notice kind="warn" title="The file storage does not answer.">
          Marquee tries again <Moment at={retryAt} />. It gives up 24 hours after the first try.
        </Notice>
      ) : null}
      {isActive ? (
        <PostForm action={address} className="cluster">
          <input type="hidden" name="export" value={id} />
          <Submit intent="cancel" kind="">
            Cancel export
          </Submit>
        </PostForm>
      ) : null}
    </>
  );
}
