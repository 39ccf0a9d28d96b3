import type { LoaderFunctionArgs } from 'react-router';
import { answerEventFeed } from '../../server/event-feeds.ts';
import { rooms } from '../../server/rooms.ts';

export const loader = ({ context, request, url }: LoaderFunctionArgs) => answerEventFeed(context.get(rooms), request, url);
