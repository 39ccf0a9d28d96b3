import { data, type LoaderFunctionArgs } from 'react-router';
import { rooms } from '../../server/rooms.ts';
import { listSitemaps, writeSitemap } from '../../server/sitemap.ts';

export function loader({ context, params }: LoaderFunctionArgs): Response {
  const { search, publicUrl, clocks } = context.get(rooms);
  const [, name = ''] = /^([a-z]+(?:-\d+)?)\.xml$/.exec(params.file ?? '') ?? [];
  const pages = listSitemaps(search.current(), publicUrl, clocks.directory()).read(name);
  if (pages === null) throw data(null, { status: 404 });
  return new Response(writeSitemap(pages), { headers: HEADERS });
}

const HEADERS = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
