import type { LoaderFunctionArgs } from 'react-router';
import { answerEventCalendar } from '../../server/public/answer-event-calendar.ts';
import { rooms } from '../../server/rooms.ts';

export const loader = ({ context, params, request }: LoaderFunctionArgs) =>
  answerEventCalendar(context.get(rooms), params.slug ?? '', request);
