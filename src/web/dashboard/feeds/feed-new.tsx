import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { changeFeed, draftFeed, readOwnFeeds } from '../../server/feeds.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { FeedForm } from './feed-form.tsx';
import { NoFeeds } from './feed-parts.tsx';
import '../dashboard.css';
import './feeds.css';

export async function loader(page: LoaderFunctionArgs) {
  const { rooms, isOpen } = await readOwnFeeds(page);
  const { searchParams } = new URL(page.request.url);
  const draft = draftFeed(searchParams, searchParams.get('feed_name') ?? '', rooms);
  return { isOpen, draft, token: newFormToken() };
}

export async function action(page: ActionFunctionArgs) {
  const own = await readOwnFeeds(page);
  const outcome = await changeFeed(own, await readFormData(page.request), null);
  if (outcome.kind === 'saved') return redirect(`/dashboard/feeds/${outcome.id}?created`, 303);
  return data(outcome, { status: 400 });
}

export default function FeedNew() {
  const { isOpen, draft, token } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  return (
    <>
      <PageHead title="New feed">Choose filters as for GET /events. The preview shows which events match now.</PageHead>
      {isOpen ? (
        <FeedForm
          key={token}
          draft={refused?.draft ?? draft}
          token={token}
          address="/dashboard/feeds/new"
          errors={refused?.errors}
          submit="Create feed"
        />
      ) : (
        <NoFeeds has={0} />
      )}
    </>
  );
}
