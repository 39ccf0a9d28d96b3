import type { LoaderFunctionArgs } from 'react-router';
import { draftFeed } from '../../server/feeds.ts';
import { rooms } from '../../server/rooms.ts';
import { requireViewer } from '../../server/viewer.ts';

/** What the filters of the address choose, for the form that is being filled in. */
export async function loader(page: LoaderFunctionArgs) {
  await requireViewer(page);
  const { preview, errors } = draftFeed(new URL(page.request.url).searchParams, '', page.context.get(rooms));
  return { preview, errors };
}
