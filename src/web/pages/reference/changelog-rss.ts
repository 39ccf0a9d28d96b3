import type { LoaderFunctionArgs } from 'react-router';
import { answerApiChangesFeed } from '../../server/api-changes.ts';
import { rooms } from '../../server/rooms.ts';

export const loader = ({ context }: LoaderFunctionArgs) => answerApiChangesFeed(context.get(rooms).publicUrl);
