import type { LoaderFunctionArgs } from 'react-router';
import { answerEventCalendar } from '../../server/event-page.ts';
import { rooms } from '../../server/rooms.ts';

export const loader = ({ context, params, request }: LoaderFunctionArgs) =>
  answerEventCalendar(context.get(rooms), params.slug ?? '', request);
