import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { viewRecord } from '../../server/desk-record.ts';
import { actOnRecord } from '../../server/desk-record-actions.ts';
import { RecordPage } from './record-page.tsx';

export const loader = (page: LoaderFunctionArgs) => viewRecord(page, 'event');
export const action = (page: ActionFunctionArgs) => actOnRecord(page, 'event');

export default function EventPage() {
  const { view, place } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const facts = place ? (
    <>
      <dt>Venue</dt>
      <dd>
        <Link to={`/desk/venues/${place.id}`}>{place.name}</Link>
        {place.neighborhood ? `, ${place.neighborhood}` : ''}
      </dd>
    </>
  ) : null;
  return <RecordPage view={view} refused={refused} facts={facts} />;
}
