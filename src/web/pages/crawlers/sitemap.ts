import { data, type LoaderFunctionArgs } from 'react-router';
import { rooms } from '../../server/rooms.ts';
import { listSitemaps, writeSitemap, writeSitemapIndex } from '../../server/sitemap.ts';

/** One file of the sitemap; without a name the list of all. */
export function loader({ context, params: { file } }: LoaderFunctionArgs): Response {
  const { search, publicUrl, clocks } = context.get(rooms);
  const { names, read } = listSitemaps(search.current(), publicUrl, clocks.directory());
  if (file === undefined) return new Response(writeSitemapIndex(names, publicUrl), { headers: HEADERS });
  const [, name = ''] = /^([a-z]+(?:-\d+)?)\.xml$/.exec(file) ?? [];
  const pages = read(name);
  if (pages === null) throw data(null, { status: 404 });
  return new Response(writeSitemap(pages), { headers: HEADERS });
}

const HEADERS = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
