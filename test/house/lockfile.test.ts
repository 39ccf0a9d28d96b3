import { describe, expect, it } from 'vitest';
import { read } from './source-tree.ts';

interface Locked {
  version?: string;
  integrity?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };

/** As Node looks for it from `place`, upwards. */
function isLocked(place: string, name: string): boolean {
  const path = `${place ? `${place}/` : ''}node_modules/${name}`;
  if (packages[path]) return true;
  return place !== '' && isLocked(place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1)), name);
}

describe('the lockfile', () => {
  it('holds every dependency, those of other platforms too: npm ci refuses one that does not', () => {
    const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(place, name))
        .map((name) => `${name}, wanted by ${place}`),
    );
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  it('has a checksum for whatever every machine installs', () => {
    const unchecked = Object.entries(packages).filter(
      ([place, { integrity, optional }]) => place !== '' && !optional && !integrity,
    );
    expect(unchecked).toEqual([]);
  });

  it('names no registry', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved":/);
  });
});
