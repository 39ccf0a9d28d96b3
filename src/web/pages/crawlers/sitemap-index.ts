import type { LoaderFunctionArgs } from 'react-router';
import { rooms } from '../../server/rooms.ts';
import { listSitemaps, writeSitemapIndex } from '../../server/sitemap.ts';

export function loader({ context }: LoaderFunctionArgs): Response {
  const { search, publicUrl, clocks } = context.get(rooms);
  const { names } = listSitemaps(search.current(), publicUrl, clocks.directory());
  return new Response(writeSitemapIndex(names, publicUrl), { headers: HEADERS });
}

const HEADERS = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
