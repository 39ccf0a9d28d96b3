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
import { Notice } from '../../design/notice.tsx';
import { changeFeed, draftFeed, readOwnFeeds, requireFeed } from '../../server/feeds.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { FeedForm } from './feed-form.tsx';
import { NoFeeds, nameOfForm, URL_FORMS } from './feed-parts.tsx';
import '../dashboard.css';
import './feeds.css';
import { useEffect, useRef, useState } from 'react';
import { Moment } from '../../design/moment.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const own = await readOwnFeeds(page);
  const feed = await requireFeed(own, page.params.id);
  const { searchParams } = new URL(page.request.url);
  // A preview without scripts comes as the fields of the form.
  const isPreview = searchParams.has('feed_name');
  const given = isPreview ? searchParams : new URLSearchParams(feed.query);
  const live = await own.urls.list(own.owner.accountId);
  return {
    id: feed.id,
    name: feed.name,
    eventsUrl: `${own.rooms.publicUrl}/api/v1/events${feed.query === '' ? '' : `?${feed.query}`}`,
    draft: draftFeed(given, isPreview ? (searchParams.get('feed_name') ?? '') : feed.name, own.rooms),
    urls: live.filter(({ feedId }) => feedId === feed.id),
    isOpen: own.isOpen,
    token: newFormToken(),
    done: { created: searchParams.has('created'), saved: searchParams.has('saved'), revoked: searchParams.get('revoked') },
  };
}

export async function action(page: ActionFunctionArgs) {
  const own = await readOwnFeeds(page);
  const id = page.params.id ?? '';
  const outcome = await changeFeed(own, await readFormData(page.request), id);
  if (outcome.kind === 'saved') return redirect(`/dashboard/feeds/${id}?saved`, 303);
  if (outcome.kind === 'removed') return redirect('/dashboard/feeds?removed', 303);
  if (outcome.kind === 'revoked') return redirect(`/dashboard/feeds/${id}?revoked=${encodeURIComponent(outcome.form)}`, 303);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function Feed() {
  const { id, name, eventsUrl, draft, urls, isOpen, token, done } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  const shown = outcome?.kind === 'shown' ? outcome : null;
  const address = `/dashboard/feeds/${id}`;
  return (
    <>
      <PageHead title={name} kind="Feed">
        <Link to="/dashboard/feeds">All feeds</Link>
      </PageHead>
      {isOpen ? null : <NoFeeds has={1} />}
      {shown ? <ShownUrl key={shown.url} shown={shown} /> : null}
      {!outcome && done.created ? (
        <Notice kind="good" title="The feed is created.">
          Create a secret URL for each format you need.
        </Notice>
      ) : null}
      {!outcome && done.saved ? <Notice kind="good" title="The feed is saved." /> : null}
      {!outcome && done.revoked ? (
        <Notice kind="good" title={`The ${nameOfForm(done.revoked)} URL is revoked.`}>
          It now returns 410.
        </Notice>
      ) : null}
      {refused && refused.intent !== 'save' ? <Notice kind="bad">{refused.errors.form}</Notice> : null}
      <FeedUrlList urls={urls} token={token} address={address} isOpen={isOpen} />
      <section className="stack" aria-labelledby="with-key">
        <h2 id="with-key">With your API key</h2>
        <CopyBlock text={eventsUrl} label="the address of the events" />
      </section>
      <section className="card stack" aria-labelledby="edit">
        <h2 id="edit">Edit feed</h2>
        <FeedForm
          key={token}
          draft={refused?.intent === 'save' ? refused.draft : draft}
          token={token}
          address={address}
          errors={refused?.intent === 'save' ? refused.errors : undefined}
          submit="Save feed"
        />
      </section>
      <section className="stack" aria-labelledby="remove">
        <h2 id="remove">Remove feed</h2>
        <details>
          <summary className="button small danger">Remove feed</summary>
          <PostForm action={address} className="form">
            <p>All secret URLs of this feed return 410 within a second. You cannot undo this.</p>
            <p>
              <Submit intent="remove" kind="danger">
                Remove feed permanently
              </Submit>
            </p>
          </PostForm>
        </details>
      </section>
    </>
  );
}

interface Props {
  urls: readonly { form: string; last4: string; createdAt: Date }[];
  token: string;
  address: string;
  isOpen: boolean;
}

/** The secret URLs of a feed, one for each form. */
function FeedUrlList({ urls, token, address, isOpen }: Props) {
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
function ShownUrl({ shown }: { shown: { url: string; form: string; isRotated: boolean } }) {
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
