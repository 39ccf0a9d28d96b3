import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { changeEmbed, draftEmbed, readOwnEmbeds } from '../../server/embeds.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { EmbedForm } from './embed-form.tsx';
import '../dashboard.css';
import '../feeds/feeds.css';

export async function loader(page: LoaderFunctionArgs) {
  const own = await readOwnEmbeds(page);
  return { draft: draftEmbed(new URL(page.request.url).searchParams, own), token: newFormToken() };
}

export async function action(page: ActionFunctionArgs) {
  const own = await readOwnEmbeds(page);
  const outcome = await changeEmbed(own, await readFormData(page.request), null);
  if (outcome.kind === 'saved') return redirect(`/dashboard/embeds/${outcome.id}?created`, 303);
  return data(outcome, { status: 400 });
}

export default function EmbedNew() {
  const { draft, token } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  return (
    <>
      <PageHead title="New embed">
        Choose which events your site shows. You can change them later without touching your site.
      </PageHead>
      <EmbedForm
        key={token}
        draft={refused?.draft ?? draft}
        token={token}
        address="/dashboard/embeds/new"
        errors={refused?.errors}
        submit="Create embed"
      />
    </>
  );
}
