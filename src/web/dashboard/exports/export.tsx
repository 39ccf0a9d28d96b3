import { useEffect, useRef, useState } from 'react';
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
import { CopyBlock } from '../../design/code.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { changeExport, type ExportOutcome, readExportPages, type ShownExport, showExport } from '../../server/exports.ts';
import { newFormToken, readFormData, refusal } from '../../server/forms.ts';
import { formatBytes, formatRows, NoExports, StateBadge } from './export-parts.tsx';
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

interface ShownFile {
  name: string;
  rows: number | null;
  bytes: number | null;
  /** Good for ten minutes. */
  url: string;
}

/** The files of a finished export, to download. */
function FileList({ files }: { files: readonly ShownFile[] }) {
  if (files.length === 0) return null;
  return (
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
            <td className="number">{formatRows(rows)}</td>
            <td className="number">{formatBytes(bytes)}</td>
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
  );
}

/** Removes an export with its schedule, files and links. */
function RemoveExport({ address, requestId }: { address: string; requestId: string }) {
  return (
    <section className="stack" aria-labelledby="remove">
      <h2 id="remove">Remove export</h2>
      <details>
        <summary className="button small danger">Remove export</summary>
        <PostForm action={address} className="form">
          <input type="hidden" name="request" value={requestId} />
          <p>Its schedule ends, and all of its files and links return 410. You cannot undo this.</p>
          <p>
            <Submit intent="remove" kind="danger">
              Remove export permanently
            </Submit>
          </p>
        </PostForm>
      </details>
    </section>
  );
}

interface Props {
  address: string;
  requestId: string;
  linkLast4: string | null;
  /** Whether the account's plan has exports. */
  isOpen: boolean;
  token: string;
}

/** The link with which a program downloads the newest files without a key. */
function SecretLink({ address, requestId, linkLast4, isOpen, token }: Props) {
  const request = <input type="hidden" name="request" value={requestId} />;
  return (
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
  );
}

/** A whole secret link, this once. */
function ShownLink({ url }: { url: string }) {
  // A page that is left may be brought back as it was: without the secret.
  const [isLeft, setLeft] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  useEffect(() => {
    const leave = () => setLeft(true);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  if (isLeft) return null;
  return (
    <section className="card stack new-key" aria-labelledby="shown" ref={section} tabIndex={-1}>
      <h2 id="shown">Your new secret link</h2>
      <p>
        Copy the link now: <strong>it is shown only once</strong>. We store only a hash of it.
      </p>
      <CopyBlock text={url} label="the link" />
      <p>The link opens the manifest of the newest export. Anyone with the link can download all files of this export.</p>
    </section>
  );
}
