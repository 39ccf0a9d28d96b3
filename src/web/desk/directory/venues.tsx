import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Badge, Empty } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { findVenuesFor } from '../../server/desk-directory.ts';
import { FindForm, NextPage } from './find-form.tsx';
import { StateBadge } from './state.tsx';
import './directory.css';

export const loader = (page: LoaderFunctionArgs) => findVenuesFor(page);

export default function Venues() {
  const { rows, asked, next, states, sources } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Venues">Venues in any state, by name.</PageHead>
      <FindForm states={states} sources={sources} asked={{ ...asked, from: null }} entity="venue" />
      {rows.length === 0 ? (
        <Empty title="Nothing found">
          <p>
            <Link to="/desk/venues">Show all venues</Link>
          </p>
        </Empty>
      ) : (
        <div className="finds">
          <DataTable stacks caption="Venues" head={['Venue', 'Type', 'Address', 'Neighborhood', 'State']}>
            {rows.map(({ id, name, type, address, neighborhood, isVerified, state, corrections }) => (
              <tr key={id}>
                <td>
                  <Link to={`/desk/venues/${id}`}>{name}</Link>
                </td>
                <td>{type}</td>
                <td>{address}</td>
                <td>{neighborhood}</td>
                <td>
                  <span className="cluster">
                    <StateBadge state={state} />
                    {isVerified ? null : <Badge>not verified</Badge>}
                    {corrections > 0 ? <Badge kind="warn">corrected</Badge> : null}
                  </span>
                </td>
              </tr>
            ))}
          </DataTable>
        </div>
      )}
      <NextPage next={next} asked={{ ...asked, from: null }} entity="venue" />
    </>
  );
}
