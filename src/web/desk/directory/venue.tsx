import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { viewRecord } from '../../server/desk-record.ts';
import { actOnRecord } from '../../server/desk-record-actions.ts';
import { RecordPage } from './record-page.tsx';

export const loader = (page: LoaderFunctionArgs) => viewRecord(page, 'venue');
export const action = (page: ActionFunctionArgs) => actOnRecord(page, 'venue');

export default function VenuePage() {
  const { view, place, upcoming, learned } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const facts = (
    <>
      <dt>Neighborhood</dt>
      <dd>{place?.neighborhood ?? 'none'}</dd>
      <dt>Next events</dt>
      <dd>
        {upcoming.length === 0 ? 'none' : null}
        <ul className="others">
          {upcoming.map(({ id, title, at }) => (
            <li key={id}>
              <Link to={`/desk/events/${id}`}>{title}</Link> <span className="quiet small">{at.text}</span>
            </li>
          ))}
        </ul>
      </dd>
      {learned.length > 0 ? (
        <>
          <dt>Learned names</dt>
          <dd>
            {learned.map(({ id, names, nights, samples }) => (
              <p key={id}>
                {names}: sources list the same events at both on {nights} nights.{' '}
                <span className="quiet small">{samples.join('; ')}</span>
              </p>
            ))}
            <p className="quiet small">To reject a name, split its listing off below.</p>
          </dd>
        </>
      ) : null}
    </>
  );
  return <RecordPage view={view} refused={refused} facts={facts} />;
}
