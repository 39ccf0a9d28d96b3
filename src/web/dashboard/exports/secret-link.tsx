import { PostForm, Submit } from '../../design/forms/form.tsx';

interface Props {
  address: string;
  requestId: string;
  linkLast4: string | null;
  /** Whether the account's plan has exports. */
  isOpen: boolean;
  token: string;
}

/** The link with which a program downloads the newest files without a key. */
export function SecretLink({ address, requestId, linkLast4, isOpen, token }: Props) {
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
