import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Badge, Empty } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatWord } from '../../model/format.ts';
import { findEventsFor } from '../../server/desk-directory.ts';
import { FindForm, NextPage } from './find-form.tsx';
import { StateBadge } from './state.tsx';
import './directory.css';

export const loader = (page: LoaderFunctionArgs) => findEventsFor(page);

export default function Events() {
  const { rows, asked, next, states, sources } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Events">
        {asked.from === '' ? 'Events in any state, latest first.' : 'Events in any state from a date on, soonest first.'}
      </PageHead>
      <FindForm asked={asked} states={states} sources={sources} entity="event" />
      {rows.length === 0 ? (
        <Empty title="Nothing found">
          <p>
            <Link to="/desk/events">Show upcoming events</Link>
          </p>
        </Empty>
      ) : (
        <div className="finds">
          <DataTable stacks caption="Events" head={['Event', 'Start', 'Venue', 'Sources', 'State']}>
            {rows.map(({ id, title, start, venueId, venueName, sources: from, state, status, corrections }) => (
              <tr key={id}>
                <td>
                  <Link to={`/desk/events/${id}`}>{title}</Link>
                </td>
                <td>
                  <time dateTime={start.iso}>{start.text}</time>
                </td>
                <td>
                  <Link to={`/desk/venues/${venueId}`}>{venueName}</Link>
                </td>
                <td>{from}</td>
                <td>
                  <span className="cluster">
                    <StateBadge state={state} />
                    {status === 'scheduled' ? null : <Badge kind="warn">{formatWord(status)}</Badge>}
                    {corrections > 0 ? <Badge kind="warn">corrected</Badge> : null}
                  </span>
                </td>
              </tr>
            ))}
          </DataTable>
        </div>
      )}
      <NextPage asked={asked} next={next} entity="event" />
    </>
  );
}
