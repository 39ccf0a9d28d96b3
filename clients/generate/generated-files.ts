/** Every file that is made from the OpenAPI document, by its path in the repository. */

import { createOpenApi } from '../../src/api/index.ts';
import { writePython } from './python.ts';
import { writeTypescript } from './typescript.ts';

export function generatedFiles(): Map<string, string> {
  const document = createOpenApi('https://events.example.org');
  return new Map([
    ['clients/typescript/src/generated.ts', writeTypescript(document)],
    ['clients/python/src/marquee/_generated.py', writePython(document)],
  ]);
}
