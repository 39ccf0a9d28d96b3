import { readIcon } from '../../server/public/read-icon.ts';

export const loader = (): Response => readIcon('favicon.ico');
