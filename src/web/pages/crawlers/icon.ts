import type { LoaderFunctionArgs } from 'react-router';
import { answerIcon } from '../../server/icons.ts';

export const loader = ({ url }: LoaderFunctionArgs): Response => answerIcon(url);
