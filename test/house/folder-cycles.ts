/** Folders as the house tests see them: which of them import each other. */

import type { Import } from './source-tree.ts';

/**
 * What sibling folders import of each other. An import counts for the two folders below the deepest folder that both files share:
 * `src/web/server/keys.ts` → `src/web/model/keys.ts` counts for `src/web/server` → `src/web/model`. A loose file in the shared
 * folder belongs to no sibling.
 */
export function importsOfSiblings(imports: readonly Pick<Import, 'from' | 'to'>[]): Map<string, Map<string, string>> {
  const siblings = new Map<string, Map<string, string>>();
  for (const { from, to } of imports) {
    const [one, other] = [from.split('/').slice(0, -1), to.split('/').slice(0, -1)];
    const shared = one.findIndex((name, depth) => name !== other[depth]);
    if (shared < 0 || shared >= other.length) continue;
    const [folder, target] = [one, other].map((path) => path.slice(0, shared + 1).join('/')) as [string, string];
    const targets = siblings.get(folder) ?? new Map<string, string>();
    if (!targets.has(target)) targets.set(target, `${from} → ${to}`);
    siblings.set(folder, targets);
  }
  return siblings;
}

/** Every cycle that a walk over sibling folders meets, as the imports that close it. */
export function findFolderCycles(imports: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const siblings = importsOfSiblings(imports);
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const walk = (folder: string, path: readonly string[]): void => {
    const start = path.indexOf(folder);
    if (start >= 0) {
      const folders = [...path.slice(start), folder];
      cycles.push(folders.slice(1).map((target, i) => siblings.get(folders[i] ?? '')?.get(target) ?? ''));
      return;
    }
    if (finished.has(folder)) return;
    for (const target of siblings.get(folder)?.keys() ?? []) walk(target, [...path, folder]);
    finished.add(folder);
  };
  for (const folder of siblings.keys()) walk(folder, []);
  return cycles;
}
