import { readIcon } from '../../server/icons.ts';

export const loader = (): Response => readIcon('favicon.ico');
