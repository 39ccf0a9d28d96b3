import type { LoaderFunctionArgs } from 'react-router';
import { answerIcon } from '../../server/icons.ts';

export const loader = ({ request }: LoaderFunctionArgs): Response => answerIcon(request);
