import type { LoaderFunctionArgs } from 'react-router';
import { answerMapAreas } from '../server/map-areas.ts';
import { rooms } from '../server/rooms.ts';

export const loader = ({ context, request }: LoaderFunctionArgs) => answerMapAreas(context.get(rooms), request);
