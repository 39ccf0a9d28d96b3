import type { LoaderFunctionArgs } from 'react-router';
import { webhookSchemas } from '../../../webhooks/index.ts';
import { rooms } from '../../server/rooms.ts';

/** JSON Schemas of webhook messages, for programs. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { publicUrl } = context.get(rooms);
  return new Response(`${JSON.stringify(webhookSchemas(publicUrl), null, 2)}\n`, {
    headers: { 'Content-Type': 'application/schema+json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}
