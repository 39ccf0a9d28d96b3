import { describe, expect, it } from 'vitest';
import { files, read } from './source-tree.ts';

const code = files.filter((file) => /^(src|test|bench|quality|bin)\/.*\.(ts|mjs)$/.test(file));
const text = files.filter((file) => file !== 'package-lock.json');

describe('the files of the project', () => {
  it('are seen at all', () => {
    expect(code.length).toBeGreaterThan(50);
    expect(text.length).toBeGreaterThan(code.length);
  });

  it('live in folders named by a word of the trade', () => {
    const folders = new Set(files.flatMap((file) => file.split('/').slice(0, -1)));
    expect(folders.intersection(BANNED_FOLDERS)).toEqual(new Set());
  });

  it('are kebab-case', () => {
    const names = code.flatMap((file) => file.split('/'));
    expect(names.filter((name) => !KEBAB_CASE.test(name))).toEqual([]);
  });

  it('have at most 400 lines', () => {
    expect(code.filter((file) => read(file).trimEnd().split('\n').length > MOST_LINES)).toEqual([]);
  });

  it('promise nothing for later and speak of Marquee alone', () => {
    const offenses = text.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          FORBIDDEN.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(offenses).toEqual([]);
  });

  it('hold no key and no private address of a machine', () => {
    const offenses = text.filter((file) =>
      read(file)
        .split('\n')
        .some((line) => SECRETS.some((pattern) => pattern.test(line))),
    );
    expect(offenses).toEqual([]);
  });
});

const BANNED_FOLDERS = new Set([
  'utils',
  'util',
  'helpers',
  'common',
  'lib',
  'services',
  'controllers',
  'repositories',
  'misc',
  'shared',
]);
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?(\.ts|\.mjs)?$/;
const MOST_LINES = 400;
// Spelled with a break, so that this file does not forbid itself.
const FORBIDDEN = [
  new RegExp(`\\b(TO${''}DO|FIX${''}ME|HA${''}CK)\\b`),
  new RegExp(`not (yet )?implemen${''}ted|lorem ip${''}sum`, 'i'),
  new RegExp(`\\bCla${''}ude\\b|\\bAnthro${''}pic\\b|\\bChat${''}GPT\\b|\\bCo${''}pilot\\b|\\bLL${''}M\\b`),
  new RegExp(`/wo${''}rk/|/ro${''}ot/|\\bissue [0-9#]`, 'i'),
];
const SECRETS = [
  // A whole key has a checksum; documents write `mq_live_…`.
  /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/,
  new RegExp(`-----BEGIN [A-Z ]*PRIV${''}ATE KEY-----`),
];
