import { type ActionFunctionArgs, data, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { DEFAULT_EVENT_TYPES, EVENT_TYPES } from '../../../webhooks/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { changeWebhook, readOwnWebhooks } from '../../server/webhooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { NoWebhooks, ShownSecret } from './endpoint-parts.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { feeds, isOpen } = await readOwnWebhooks(page);
  return {
    isOpen,
    types: EVENT_TYPES.map(({ name, says }) => ({ name, says })),
    feeds: feeds.map(({ id, name }) => ({ id, name })),
    draft: {
      ...{ url: '', description: '', eventTypes: [...DEFAULT_EVENT_TYPES], feedId: null },
      ...{ payload: 'full', order: 'parallel', publicKey: false },
    },
    token: newFormToken(),
  };
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await changeWebhook(await readOwnWebhooks(page), await readFormData(page.request), null);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function NewWebhook() {
  const { isOpen, types, feeds, draft, token } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  return (
    <>
      <PageHead title="New endpoint">Your server receives a signed POST request for each change.</PageHead>
      {outcome?.kind === 'shown' ? (
        <ShownSecret shown={outcome} />
      ) : isOpen ? (
        <EndpointForm
          types={types}
          feeds={feeds}
          token={token}
          draft={refused?.draft ?? draft}
          errors={refused?.errors}
          address="/dashboard/webhooks/new"
          submit="Create endpoint"
        />
      ) : (
        <NoWebhooks has={0} />
      )}
    </>
  );
}
