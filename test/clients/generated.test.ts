import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../clients/generate/generated-files.ts';
import { ROUTES } from '../../src/api/index.ts';

describe('the generated files of the clients', () => {
  const files = [...generatedFiles()];

  it.each(files)('%s is what `npm run clients` makes', (path, text) => {
    expect(readFileSync(path, 'utf8') === text, `${path} is stale: run npm run clients`).toBe(true);
  });

  it('have a method for every operation', () => {
    const [, typescript = ''] = files.find(([path]) => path.endsWith('.ts')) ?? [];
    const [, python = ''] = files.find(([path]) => path.endsWith('.py')) ?? [];
    for (const { operationId } of ROUTES) {
      expect(typescript).toContain(`  ${operationId}(`);
      expect(python).toContain(`    def ${operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(`);
    }
  });
});
