/** `docs/examples.md`: the example requests in all languages. */

import { CODE_LANGUAGES, EXAMPLE_REQUESTS } from '../../src/web/model/playground/languages.ts';

export function writeExamples(): string {
  const sections = EXAMPLE_REQUESTS.map(({ title, ...request }) => {
    const codes = CODE_LANGUAGES.map(({ id, name, write }) => {
      return `${name}:\n\n\`\`\`${FENCES[id] ?? id}\n${write({ ...request, base: BASE })}\n\`\`\`\n`;
    });
    return `## ${title}\n\n${codes.join('\n')}`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# Examples

This page helps you copy a first request in your language: curl, JavaScript, Python, Go, PHP or Ruby.

Every example reads the key from the variable \`MARQUEE_KEY\`. A free [test key](test-keys.md) is enough.
\`npm run clients\` makes this page. For larger programs, use a [client](../clients/README.md) or the [collection](../clients/collection/README.md).
`;
const BASE = 'http://127.0.0.1:3000/api/v1';
const FENCES: Readonly<Record<string, string>> = { curl: 'sh', javascript: 'js' };
