import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withoutBuilders } from '../../release/bill-of-materials.ts';
import { compareVersions, findObstacles, sectionOf } from '../../release/check-version.ts';
import { formatChecksums, readSigningKey, signText } from '../../release/checksums.ts';
import { formatUpgradeNotes } from '../../release/upgrade-notes.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-25\n\n### Added\n\n- A thing.\n\n## [1.1.0]\n\n- Older.\n';
const READY = { version: '1.2.0', changelog: CHANGELOG, changedFiles: [], released: ['1.1.0'] };

describe('a version', () => {
  it('is released when the changelog knows it and nothing is left to commit', () => {
    expect(findObstacles(READY)).toEqual([]);
    expect(sectionOf(CHANGELOG, '1.2.0')).toBe('### Added\n\n- A thing.');
    expect(sectionOf(CHANGELOG, '1.1.0')).toBe('- Older.');
  });

  it.each([
    [{ version: '1.2' }, 'must be like 1.2.3'],
    [{ version: '1.3.0' }, 'needs lines under "## [1.3.0]'],
    [{ released: ['1.2.0'] }, 'was released before'],
    [{ released: ['1.10.0'] }, 'older than the released 1.10.0'],
    [{ changedFiles: [' M README.md'] }, 'commit 1 changed files first'],
    [{ changelog: CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- Forgotten.\n') }, 'move them to [1.2.0]'],
  ])('is refused with a reason: %j', (change, reason) => {
    expect(findObstacles({ ...READY, ...change }).join('\n')).toContain(reason);
  });

  it('is compared part by part, as a number', () => {
    expect(['1.10.0', '1.9.9', '2.0.0', '1.9.10'].sort(compareVersions)).toEqual(['1.9.9', '1.9.10', '1.10.0', '2.0.0']);
    expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  });
});

describe('the checksums of a release', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const path = (name: string) => join(folder, name);
  writeFileSync(path('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(path('package.tgz'), 'bytes');
  const sums = formatChecksums([path('package.tgz')]);

  function verify(text: string): string {
    writeFileSync(path('SHA256SUMS'), text);
    writeFileSync(path('SHA256SUMS.sig'), signText(sums, readSigningKey(path('key.pem'))));
    const words = 'pkeyutl -verify -pubin -inkey key.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(' ');
    return execFileSync('openssl', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  it('are read by sha256sum, and their signature by openssl', () => {
    expect(verify(sums)).toContain('Verified Successfully');
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe('package.tgz: OK\n');
  });

  it('do not verify when one character differs', () => {
    expect(() => verify(sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).toThrow();
  });

  it('are signed with an Ed25519 key alone, whose text is never repeated', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(path('other.pem'), other);
    expect(() => readSigningKey(path('other.pem'))).toThrow('must be a key for ed25519, but is one for ec');
    writeFileSync(path('none.pem'), 'hidden');
    expect(() => readSigningKey(path('none.pem'))).toThrow(/^(?!.*hidden).*must be a private key/);
  });
});

describe('what goes with a package', () => {
  it('is a bill of materials without the packages that only builders need', () => {
    const ref = (name: string) => ({ 'bom-ref': name });
    const bill = {
      metadata: { component: ref('marquee@1.2.0') },
      components: ['vite@8.0.0', 'pg@8.0.0', 'both@1.0.0', 'rolldown@1.0.0'].map(ref),
      dependencies: [
        { ref: 'marquee@1.2.0', dependsOn: ['vite@8.0.0', 'pg@8.0.0'] },
        { ref: 'vite@8.0.0', dependsOn: ['rolldown@1.0.0', 'both@1.0.0'] },
        { ref: 'pg@8.0.0', dependsOn: ['both@1.0.0'] },
        { ref: 'both@1.0.0' },
      ],
    };
    const left = withoutBuilders(bill, ['vite']);
    expect(left.components).toEqual(['pg@8.0.0', 'both@1.0.0'].map(ref));
    expect(left.dependencies.map(({ ref: name }) => name)).toEqual(['marquee@1.2.0', 'pg@8.0.0', 'both@1.0.0']);
  });

  it('is a page of notes that says whether an operator can go back', () => {
    const facts = { version: '1.2.0', previous: '1.1.0', changes: '- A thing.', migrations: [] as string[] };
    expect(formatUpgradeNotes(facts)).toContain('You can go back by installing the version before.');
    const notes = formatUpgradeNotes({ ...facts, migrations: ['0051_backup.sql'] });
    expect(notes).toContain('runs 1 migrations: 0051_backup.sql');
    expect(notes).toContain('restore a backup');
    expect(notes).toContain('- A thing.');
  });
});
