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
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { changeExport } from '../../server/exports/change-export.ts';
import { readExportPages, showExport } from '../../server/exports/own-exports.ts';
import { newFormToken } from '../../server/idempotency.ts';
import { readFormData } from '../../server/read-form.ts';
import { refusal } from '../../server/refusal.ts';
import { formatBytes, StateBadge } from './export-state.tsx';
import { NoExports } from './no-exports.tsx';
import { ShownLink } from './shown-link.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, exports, feeds, rooms, isOpen } = await readExportPages(page);
  const found = await exports.find(owner.accountId, page.params.id ?? '');
  if (!found) throw refusal(404, 'Export not found.');
  const request = (await exports.requests(owner.accountId)).find(({ id }) => id === found.export.requestId);
  const files = [{ name: 'manifest.json', bytes: null, rows: null }, ...(found.manifest?.files ?? [])];
  return {
    isOpen,
    shown: showExport(found.export, feeds),
    // Addresses are good for ten minutes: a page that was left open longer is loaded again.
    files: (found.manifest ? files : []).map(({ name, bytes, rows }) => ({
      ...{ name, bytes, rows },
      url: rooms.exportPath(found.export.id, name),
    })),
    isListed: request !== undefined,
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
  const request = <input type="hidden" name="request" value={shown.requestId} />;
  const isActive = shown.state === 'queued' || shown.state === 'running';
  return (
    <>
      <PageHead title={shown.title} kind="Export">
        <Link to="/dashboard/exports">All exports</Link>
      </PageHead>
      {isOpen ? null : <NoExports has={1} />}
      {outcome?.kind === 'shown' ? <ShownLink key={outcome.url} url={outcome.url} /> : null}
      {outcome?.kind === 'refused' ? <Notice kind="bad">{outcome.error}</Notice> : null}
      {!outcome && isRevoked ? (
        <Notice kind="good" title="The secret link is revoked.">
          It now returns 410.
        </Notice>
      ) : null}
      <p>
        <StateBadge state={shown.state} /> requested <Moment at={shown.queuedAt} />
        {shown.expiresAt && shown.state === 'ready' ? (
          <>
            , files are deleted <Moment at={shown.expiresAt} />
          </>
        ) : null}
      </p>
      {shown.error ? <Notice kind="warn" title={shown.error} /> : null}
      {isActive ? (
        <PostForm action={address} className="cluster">
          <input type="hidden" name="export" value={shown.id} />
          <Submit intent="cancel" kind="">
            Cancel export
          </Submit>
        </PostForm>
      ) : null}
      {files.length > 0 ? (
        <section className="stack" aria-labelledby="files">
          <h2 id="files">Files</h2>
          <DataTable
            stacks
            caption="Files of this export"
            head={['File', { text: 'Rows', number: true }, { text: 'Size', number: true }, 'Download']}
          >
            {files.map(({ name, rows, bytes, url }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td className="number">{rows === null ? '–' : formatNumber(rows)}</td>
                <td className="number">{bytes === null ? '–' : formatBytes(bytes)}</td>
                <td>
                  <a href={url} download={name}>
                    Download<span className="visually-hidden"> {name}</span>
                  </a>
                </td>
              </tr>
            ))}
          </DataTable>
          <p className="quiet small">These links work for ten minutes. Reload the page to get new links.</p>
        </section>
      ) : null}
      {isListed ? (
        <section className="stack" aria-labelledby="link">
          <h2 id="link">Secret link</h2>
          <p className="quiet">
            With a secret link, a program can download the newest files without a key. The link is shown once and works until you
            revoke it.
          </p>
          {linkLast4 ? (
            <p>
              <code>{`/exports/…${linkLast4}/manifest.json`}</code>
            </p>
          ) : null}
          <div className="cluster">
            {isOpen ? (
              <PostForm action={address} token={token} className="cluster">
                {request}
                <Submit intent="link" kind="" small>
                  {linkLast4 ? 'Rotate link' : 'Create link'}
                </Submit>
              </PostForm>
            ) : null}
            {linkLast4 ? (
              <PostForm action={address} className="cluster">
                {request}
                <Submit intent="revoke" kind="danger" small>
                  Revoke link
                </Submit>
              </PostForm>
            ) : null}
          </div>
        </section>
      ) : null}
      {isListed ? (
        <section className="stack" aria-labelledby="remove">
          <h2 id="remove">Remove export</h2>
          <details>
            <summary className="button small danger">Remove export</summary>
            <PostForm action={address} className="form">
              {request}
              <p>Its schedule ends, and all of its files and links return 410. You cannot undo this.</p>
              <p>
                <Submit intent="remove" kind="danger">
                  Remove export permanently
                </Submit>
              </p>
            </PostForm>
          </details>
        </section>
      ) : null}
    </>
  );
}
