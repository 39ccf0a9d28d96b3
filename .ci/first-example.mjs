/** Prints the first example of a page in a language, for a service at another address. */

import { readFileSync } from 'node:fs';

const [file, language, url] = process.argv.slice(2);
const [, code] = readFileSync(file, 'utf8').match(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm'));
process.stdout.write(code.replaceAll('http://127.0.0.1:3000', url));
