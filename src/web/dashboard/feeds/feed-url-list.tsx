import { useEffect, useRef, useState } from 'react';
import { CopyBlock } from '../../design/code.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { nameOfForm, URL_FORMS } from './feed-parts.tsx';

interface Props {
  urls: readonly { form: string; last4: string; createdAt: Date }[];
  token: string;
  address: string;
  isOpen: boolean;
}

/** The secret URLs of a feed, one for each form. */
export function FeedUrlList({ urls, token, address, isOpen }: Props) {
  return (
    <section className="stack" aria-labelledby="urls">
      <h2 id="urls">Secret URLs</h2>
      <p className="quiet">
        Anyone with a URL can read this feed without a key. A URL is shown once, when you create it. Each allows 120 requests a
        minute.
      </p>
      <ul className="feed-urls">
        {URL_FORMS.map(({ form, name, use }) => {
          const live = urls.find((url) => url.form === form);
          return (
            <li key={form} className="card stack tight">
              <h3>{name}</h3>
              <p className="quiet small">{use}</p>
              {live ? (
                <p className="small">
                  <code>{`/feeds/…${live.last4}.${form}`}</code>, created <Moment at={live.createdAt} as="day" />
                </p>
              ) : null}
              <div className="cluster">
                {isOpen ? (
                  <Renew form={form} name={name} token={token} address={address} isRotation={live !== undefined} />
                ) : null}
                {live ? <Revoke form={form} name={name} address={address} /> : null}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ActProps {
  form: string;
  name: string;
  address: string;
}

function Renew({ form, name, token, address, isRotation }: ActProps & { token: string; isRotation: boolean }) {
  const fields = <input type="hidden" name="form" value={form} />;
  if (!isRotation) {
    return (
      <PostForm action={address} token={`${token}-${form}`}>
        {fields}
        <Submit intent="renew" kind="" small>
          Create URL<span className="visually-hidden"> for {name}</span>
        </Submit>
      </PostForm>
    );
  }
  return (
    <details>
      <summary className="button small">
        Rotate<span className="visually-hidden"> {name} URL</span>
      </summary>
      <PostForm action={address} token={`${token}-${form}`} className="form">
        {fields}
        <p>You get a new URL. The old one returns 410 within a second.</p>
        <Submit intent="renew" small>
          Rotate URL
        </Submit>
      </PostForm>
    </details>
  );
}

function Revoke({ form, name, address }: ActProps) {
  return (
    <details>
      <summary className="button small danger">
        Revoke<span className="visually-hidden"> {name} URL</span>
      </summary>
      <PostForm action={address} className="form">
        <input type="hidden" name="form" value={form} />
        <p>The URL returns 410 within a second. You cannot undo this.</p>
        <Submit intent="revoke" kind="danger" small>
          Revoke URL permanently
        </Submit>
      </PostForm>
    </details>
  );
}

/** A whole URL, this once. */
export function ShownUrl({ shown }: { shown: { url: string; form: string; isRotated: boolean } }) {
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
  const name = nameOfForm(shown.form);
  return (
    <section className="card stack new-key" aria-labelledby="shown" ref={section} tabIndex={-1}>
      <h2 id="shown">{shown.isRotated ? `The ${name} URL is rotated` : `Your new ${name} URL`}</h2>
      <p>
        Copy the URL now: <strong>it is shown only once</strong>. We store only a hash of it.
      </p>
      <CopyBlock text={shown.url} label="the URL" />
      {shown.form === 'ics' ? (
        <p>
          <a className="button" href={shown.url.replace(/^https?:/, 'webcal:')}>
            Subscribe in your calendar
          </a>
        </p>
      ) : null}
      {shown.isRotated ? <p>The old URL now returns 410.</p> : null}
    </section>
  );
}
