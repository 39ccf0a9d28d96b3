import { readIcon } from '../../server/icons.ts';

export const loader = (): Response => readIcon('icon-512.png');
