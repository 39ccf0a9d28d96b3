/** Every file that is made from the OpenAPI document, by its path in the repository. */

import { createOpenApi } from '../../src/api/index.ts';
import { writeCollection } from './collection.ts';
import { writeExamples } from './examples.ts';
import { writePython } from './python.ts';
import { writeTypescript } from './typescript.ts';

export function generatedFiles(): Map<string, string> {
  const document = createOpenApi('https://events.example.org');
  return new Map([
    ['clients/typescript/src/generated.ts', writeTypescript(document)],
    ['clients/python/src/marquee/_generated.py', writePython(document)],
    ...writeCollection(document).map(([name, text]): [string, string] => [`clients/collection/${name}`, text]),
    ['docs/examples.md', writeExamples()],
  ]);
}
