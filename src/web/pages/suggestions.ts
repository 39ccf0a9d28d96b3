import type { LoaderFunctionArgs } from 'react-router';
import { readSuggestions } from '../server/public/read-search.ts';
import { rooms } from '../server/rooms.ts';

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  Response.json(readSuggestions(context.get(rooms), request), { headers: { 'Cache-Control': 'private, max-age=30' } });
