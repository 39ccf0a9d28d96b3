import type { LoaderFunctionArgs } from 'react-router';
import { rooms } from '../../server/rooms.ts';

/** The web app manifest: how the site looks on a home screen. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { name } = context.get(rooms).search.current().city;
  const manifest = {
    name: name ? `Marquee ${name}` : 'Marquee',
    short_name: name || 'Marquee',
    start_url: '/',
    display: 'minimal-ui',
    background_color: '#faf6ee',
    theme_color: '#1a1222',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' },
  });
}
