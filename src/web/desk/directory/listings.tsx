import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Badge } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import type { Entity, ListingView, RejectedAction } from '../../model/desk.ts';
import { TimeText } from '../oversight/moments.tsx';

/** Listings; of several listings some can be split off. */
export function Listings({ entity, listings, token, refused }: Props) {
  const present = listings.filter(({ isGone }) => !isGone);
  const mayPart = present.length > 1;
  const table = (
    <DataTable
      stacks={!mayPart}
      caption="Listings of all sources"
      head={[...(mayPart ? ['Split off'] : []), 'Source', 'Listing', 'Object ID', 'Last confirmed', 'Repairs']}
    >
      {listings.map(({ id, source, externalId, url, title, confirmed, isGone, isBundle, repairs }) => (
        <tr key={id}>
          {mayPart ? (
            <td>
              {isGone ? null : (
                <input type="checkbox" name="listing" value={id} aria-label={`Split off “${title}” of ${source}`} />
              )}
            </td>
          ) : null}
          <td>{source}</td>
          <td>
            {url ? (
              <a href={url} rel="noreferrer nofollow ugc">
                {title}
              </a>
            ) : (
              title
            )}{' '}
            {isGone ? <Badge>no longer listed</Badge> : null} {isBundle ? <Badge>bundle</Badge> : null}
          </td>
          <td>
            <code>{externalId}</code>
          </td>
          <td>
            <TimeText at={confirmed} />
          </td>
          <td>{repairs}</td>
        </tr>
      ))}
    </DataTable>
  );
  if (!mayPart) return table;
  const errors = refused?.intent === 'split' ? { form: refused.error } : undefined;
  return (
    <PostForm className="form wide" token={`${token} split`} errors={errors}>
      {table}
      <p className="quiet small">
        The listings you choose become a separate {entity} with its own id. All later runs respect this decision. You can undo it
        in the history.
      </p>
      <div>
        <Submit intent="split" kind="danger">
          Split off
        </Submit>
      </div>
    </PostForm>
  );
}

interface Props {
  entity: Entity;
  listings: readonly ListingView[];
  token: string;
  refused: RejectedAction | undefined;
}
