import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../../src/web/index.ts';

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { id: string; parentId?: string; path?: string; module: string; imports?: string[] }>;
}

let manifest: Manifest;
let client = '';
beforeAll(async () => {
  const build = await buildPages();
  client = build.client;
  manifest = ((await import(build.server)) as { assets: Manifest }).assets;
});

/** Every module that a browser loads for the page, layouts and framework included. */
function modulesOf(id: string | undefined): string[] {
  const route = id === undefined ? undefined : manifest.routes[id];
  if (!route) return [manifest.entry.module, ...manifest.entry.imports];
  return [route.module, ...(route.imports ?? []), ...modulesOf(route.parentId)];
}

const weigh = (modules: readonly string[]) =>
  [...new Set(modules)].reduce((sum, path) => sum + readFileSync(join(client, `${path}.br`)).length, 0);

describe('the weight of the pages', () => {
  test('is at most 150 kB of compressed JavaScript on any page', () => {
    const weights = Object.values(manifest.routes).map(({ id }) => [id, weigh(modulesOf(id))] as const);
    expect(weights.length).toBeGreaterThan(5);
    expect(Math.min(...weights.map(([, bytes]) => bytes))).toBeGreaterThan(10_000);
    expect(weights.filter(([, bytes]) => bytes > MAX_BYTES)).toEqual([]);
  });

  test('is at most 20 kB of compressed styles', () => {
    const styles = Object.values(manifest.routes).flatMap((route) => (route as { css?: string[] }).css ?? []);
    expect(styles.length).toBeGreaterThan(0);
    expect(weigh(styles)).toBeLessThan(20_000);
  });
});

const MAX_BYTES = 150_000;
