import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { read } from './source-tree.ts';

interface Locked {
  version?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: boolean;
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

  it('takes all from the registry, at one version each, with checksums by SHA-512', () => {
    const others = Object.entries(packages).filter(
      ([place, { version = '', link = false, integrity = 'sha512-' }]) =>
        place !== '' && (link || !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) || !integrity.startsWith('sha512-')),
    );
    expect(others.map(([place]) => place)).toEqual([]);
    // What has none is for machines of another kind.
    const unchecked = Object.entries(packages).filter(([place, { integrity }]) => place !== '' && !integrity);
    expect(unchecked.filter(([, { optional, os, cpu }]) => !optional || !(os || cpu)).map(([place]) => place)).toEqual([]);
  });

  it('runs no script at the installation but the ones that are allowed by name', () => {
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
    expect(scripted.map(([place]) => place.replace(/^.*node_modules\//, ''))).toEqual(Object.keys(allowScripts));
  });

  it('becomes a bill of materials with every runtime dependency and what those need', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, maxBuffer: 2 ** 26 });
    const { bomFormat, components } = JSON.parse(stdout) as Bill;
    expect(bomFormat).toBe('CycloneDX');
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const listed = new Map(components.map((each) => [`${each.name}@${each.version}`, each]));
    const unlisted = Object.entries(dependencies).filter(([name, version]) => {
      const { hashes = [], purl = '' } = listed.get(`${name}@${version}`) ?? {};
      return hashes.length === 0 || purl === '';
    });
    expect(unlisted).toEqual([]);
    // What they need comes along.
    const locked = Object.entries(packages).filter(([place]) => place !== '');
    const forgotten = locked.filter(
      ([place, { version }]) => !listed.has(`${place.replace(/^.*node_modules\//, '')}@${version}`),
    );
    expect(forgotten.map(([place]) => place)).toEqual([]);
  });
});

interface Bill {
  bomFormat: string;
  components: { name: string; version: string; purl?: string; hashes?: object[] }[];
}
const ROOT = new URL('../../', import.meta.url).pathname;
