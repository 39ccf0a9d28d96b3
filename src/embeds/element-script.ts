/** The script of `<marquee-events>`, as it stands. */

import { readFile } from 'node:fs/promises';

export const readElementScript = (): Promise<string> => readFile(new URL('./script/marquee-events.js', import.meta.url), 'utf8');
