import { createElement, useEffect, useState } from 'react';
import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { embedSnippets } from '../../../embeds/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { CopyBlock } from '../../design/code.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { changeEmbed, draftEmbed, readOwnEmbeds, requireEmbed } from '../../server/embeds.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { EmbedForm } from './embed-form.tsx';
import '../dashboard.css';
import '../feeds/feeds.css';

export async function loader(page: LoaderFunctionArgs) {
  const own = await readOwnEmbeds(page);
  const embed = await requireEmbed(own, page.params.id);
  const { id, name, query, layout, origins, updatedAt } = embed;
  const { searchParams } = new URL(page.request.url);
  const saved = new URLSearchParams(query);
  for (const [field, value] of Object.entries({ feed_name: name, layout, origins: origins.join(' ') })) saved.set(field, value);
  // A preview without scripts comes as the fields of the form.
  const draft = draftEmbed(searchParams.has('feed_name') ? searchParams : saved, own);
  return {
    ...{ id, name, layout, draft, token: newFormToken(), version: updatedAt.getTime() },
    snippets: embedSnippets(embed, own.rooms.publicUrl),
    done: { created: searchParams.has('created'), saved: searchParams.has('saved') },
  };
}

export async function action(page: ActionFunctionArgs) {
  const own = await readOwnEmbeds(page);
  const id = page.params.id ?? '';
  const outcome = await changeEmbed(own, await readFormData(page.request), id);
  if (outcome.kind === 'saved') return redirect(`/dashboard/embeds/${id}?saved`, 303);
  if (outcome.kind === 'removed') return redirect('/dashboard/embeds?removed', 303);
  return data(outcome, { status: 400 });
}

export default function Embed() {
  const { id, name, layout, draft, token, snippets, done, version } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  const address = `/dashboard/embeds/${id}`;
  return (
    <>
      <PageHead title={name} kind="Embed">
        <Link to="/dashboard/embeds">All embeds</Link>
      </PageHead>
      {!outcome && done.created ? (
        <Notice kind="good" title="The embed is created.">
          Copy the lines below into your page.
        </Notice>
      ) : null}
      {!outcome && done.saved ? <Notice kind="good" title="The embed is saved." /> : null}
      <section className="stack" aria-labelledby="look">
        <h2 id="look">On your site</h2>
        <LivePreview key={version} id={id} layout={layout} />
      </section>
      <section className="stack" aria-labelledby="copy">
        <h2 id="copy">Copy into your page</h2>
        <CopyBlock text={snippets.script} label="the lines for your page" />
        <h3>Or as an iframe</h3>
        <CopyBlock text={snippets.iframe} label="the iframe" />
      </section>
      <section className="card stack" aria-labelledby="edit">
        <h2 id="edit">Edit embed</h2>
        <EmbedForm
          key={token}
          draft={refused?.draft ?? draft}
          token={token}
          address={address}
          errors={refused?.errors}
          submit="Save embed"
        />
      </section>
      <section className="stack" aria-labelledby="remove">
        <h2 id="remove">Remove embed</h2>
        <details>
          <summary className="button small danger">Remove embed</summary>
          <PostForm action={address} className="form">
            <p>Pages that show it lose the list within a minute. You cannot undo this.</p>
            <p>
              <Submit intent="remove" kind="danger">
                Remove embed permanently
              </Submit>
            </p>
          </PostForm>
        </details>
      </section>
    </>
  );
}

/** The embed as other sites show it, in each layout. */
function LivePreview({ id, layout }: { id: string; layout: string }) {
  const [shown, setShown] = useState(layout);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="stack">
      {isReady ? (
        <p className="cluster">
          {LAYOUTS.map((each) => (
            <button
              key={each}
              type="button"
              className="button small"
              aria-pressed={each === shown}
              onClick={() => setShown(each)}
            >
              {each}
            </button>
          ))}
        </p>
      ) : null}
      <script src="/embed/v1/marquee-events.js" async />
      {createElement('marquee-events', { embed: id, layout: shown }, <a href={`/embed/${id}`}>Show the events</a>)}
    </div>
  );
}

const LAYOUTS = ['list', 'map', 'calendar'] as const;
