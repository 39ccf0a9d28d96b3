import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Moment } from '../../design/moment.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { readOwnFeeds } from '../../server/feeds.ts';
import { FormNames, NoFeeds } from './feed-parts.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, feeds, urls, isOpen } = await readOwnFeeds(page);
  const [list, live] = await Promise.all([feeds.list(owner.accountId), urls.list(owner.accountId)]);
  const { searchParams } = new URL(page.request.url);
  return {
    isOpen,
    feeds: list.map(({ id, name, query, updatedAt }) => ({
      ...{ id, name, query, updatedAt },
      forms: live.filter(({ feedId }) => feedId === id).map(({ form }) => form),
    })),
    isRemoved: searchParams.has('removed'),
  };
}

export default function Feeds() {
  const { isOpen, feeds, isRemoved } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead
        title="Feeds"
        actions={
          isOpen && feeds.length > 0 ? (
            <Link className="button" to="/dashboard/feeds/new">
              New feed
            </Link>
          ) : null
        }
      >
        A feed saves a query of events. Read it as JSON, calendar, RSS, GeoJSON or CSV.
      </PageHead>
      {isRemoved ? (
        <Notice kind="good" title="The feed is removed.">
          Its URLs now return 410.
        </Notice>
      ) : null}
      {isOpen ? null : <NoFeeds has={feeds.length} />}
      {feeds.length > 0 ? (
        <DataTable stacks caption="Your feeds" head={['Name', 'Filters', 'Secret URLs', 'Changed']}>
          {feeds.map(({ id, name, query, forms, updatedAt }) => (
            <tr key={id}>
              <td>
                <Link to={`/dashboard/feeds/${id}`}>{name}</Link>
              </td>
              <td>{query === '' ? 'All upcoming events' : <code>{readable(query)}</code>}</td>
              <td>{forms.length === 0 ? 'None' : <FormNames forms={forms} />}</td>
              <td>
                <Moment at={updatedAt} as="day" />
              </td>
            </tr>
          ))}
        </DataTable>
      ) : isOpen ? (
        <Empty title="No feeds yet">
          <p>Choose filters, see which events match, and get a URL for each format.</p>
          <p>
            <Link className="button primary" to="/dashboard/feeds/new">
              Create feed
            </Link>
          </p>
        </Empty>
      ) : null}
      {feeds.length > 0 ? <p className="quiet small">{`${formatNumber(feeds.length)} of ${MAX_FEEDS} feeds.`}</p> : null}
    </>
  );
}

/** `category=concert · free=true` */
const readable = (query: string): string =>
  [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join(' · ');

const MAX_FEEDS = 100;
