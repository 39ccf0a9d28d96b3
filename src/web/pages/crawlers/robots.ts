import type { LoaderFunctionArgs } from 'react-router';
import { rooms } from '../../server/rooms.ts';

/** Crawlers may read all that is public. What needs an account, or has no end, only costs them time. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { publicUrl } = context.get(rooms);
  const lines = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`, ''];
  return new Response(lines.join('\n'), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}

const CLOSED = [
  '/api/',
  '/dashboard',
  '/desk',
  '/search',
  '/letters/',
  '/welcome',
  '/sign-out',
  '/verify',
  '/reset',
  '/theme',
  '/language',
  '/test-city/',
];
