import type { LoaderFunctionArgs } from 'react-router';
import { rooms } from '../server/rooms.ts';
import { readSuggestions } from '../server/search.ts';

export const loader = ({ context, request }: LoaderFunctionArgs) =>
  Response.json(readSuggestions(context.get(rooms), request), { headers: { 'Cache-Control': 'private, max-age=30' } });
