import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Moment } from '../../design/moment.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { readOwnEmbeds } from '../../server/embeds.ts';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, embeds } = await readOwnEmbeds(page);
  return { embeds: await embeds.list(owner.accountId), isRemoved: new URL(page.request.url).searchParams.has('removed') };
}

export default function Embeds() {
  const { embeds, isRemoved } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead
        title="Embeds"
        actions={
          embeds.length > 0 ? (
            <Link className="button" to="/dashboard/embeds/new">
              New embed
            </Link>
          ) : null
        }
      >
        An embed shows events on your own site, as a list, a map or a calendar. It is free and needs no key.
      </PageHead>
      {isRemoved ? (
        <Notice kind="good" title="The embed is removed.">
          Pages that show it say so within a minute.
        </Notice>
      ) : null}
      {embeds.length > 0 ? (
        <DataTable stacks caption="Your embeds" head={['Name', 'Layout', 'Sites', 'Changed']}>
          {embeds.map(({ id, name, layout, origins, updatedAt }) => (
            <tr key={id}>
              <td>
                <Link to={`/dashboard/embeds/${id}`}>{name}</Link>
              </td>
              <td>{layout}</td>
              <td>{origins.length === 0 ? 'All' : origins.join(', ')}</td>
              <td>
                <Moment at={updatedAt} as="day" />
              </td>
            </tr>
          ))}
        </DataTable>
      ) : (
        <Empty title="No embeds yet">
          <p>Choose filters and a layout, then copy two lines into your page.</p>
          <p>
            <Link className="button primary" to="/dashboard/embeds/new">
              Create embed
            </Link>
          </p>
        </Empty>
      )}
    </>
  );
}
