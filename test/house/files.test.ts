import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { files, read } from './source-tree.ts';

const code = files.filter((file) => /^(src|test|bench|quality|release|bin)\/.*\.(ts|mjs)$/.test(file));
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
    expect(code.filter((file) => read(file).trimEnd().split('\n').length > MAX_LINES)).toEqual([]);
  });

  it('have at most 60 lines where they read a platform of events', () => {
    const platforms = code.filter((file) => file.startsWith('src/providers/kinds/platforms/') && !SHARED_OR_RICH.has(file));
    expect(platforms.length).toBeGreaterThan(4);
    expect(platforms.filter((file) => read(file).trimEnd().split('\n').length > MAX_PLATFORM_LINES)).toEqual([]);
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

  it('have no test with a time limit of its own', () => {
    const tests = code.filter((file) => file.startsWith('test/') && !file.startsWith('test/faults/'));
    const offenses = tests.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          IMPATIENCE.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(offenses).toEqual([]);
  });

  it('name their tests in words, without the codes of docs/reliability.md', () => {
    const offenses = code
      .filter((file) => file.startsWith('test/'))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, index) =>
            FAULT_CODE.test(line) && !COMMENT.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
          ),
      );
    expect(offenses).toEqual([]);
  });

  it('hold no secret: no key of ours, none of others, no private key', () => {
    const offenses = text.filter((file) =>
      read(file)
        .split('\n')
        .some((line) => SECRETS.some((pattern) => pattern.test(line))),
    );
    expect(offenses).toEqual([]);
  });

  it('are searched for secrets by patterns that find them', () => {
    const made = [generateKey().key, `AKIA${'A1'.repeat(8)}`, `ghp_${'a1'.repeat(18)}`, `sk_live_${'a1'.repeat(12)}`];
    const missed = [...made, `smtp://user:${'a1'.repeat(8)}@mail.example`].filter(
      (text) => !SECRETS.some((each) => each.test(text)),
    );
    expect(missed).toEqual([]);
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
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.long)?(\.test|\.config)?(\.ts|\.mjs)?$/;
const MAX_LINES = 400;
const MAX_PLATFORM_LINES = 60;
/** What platforms share, and Linked Events: a record of several languages with prices in prose, and a place that stands for the network. */
const SHARED_OR_RICH = new Set(['json-platform', 'linkedevents'].map((name) => `src/providers/kinds/platforms/${name}.ts`));
// Spelled with a break, so that this file does not forbid itself.
const FORBIDDEN = [
  new RegExp(`\\b(TO${''}DO|FIX${''}ME|HA${''}CK)\\b`),
  new RegExp(`not (yet )?implemen${''}ted|lorem ip${''}sum`, 'i'),
  new RegExp(`\\bCla${''}ude\\b|\\bAnthro${''}pic\\b|\\bChat${''}GPT\\b|\\bCo${''}pilot\\b|\\bLL${''}M\\b`),
  new RegExp(`/wo${''}rk/|/ro${''}ot/|\\bissue [0-9#]`, 'i'),
];
// `test/support/runs/patience.ts` has the patience of all.
const IMPATIENCE = [
  // The limit of a test or a hook as its last argument.
  /^\s*\}, \d[\d_]*\);$/,
  /\btimeout: \d|\btestTimeout\b|setTimeout\(\d|setDefaultTimeout\(\d|AbortSignal\.time(?:out)/,
  // Waits one second.
  /\bvi\.wait(?:For|Until)\(/,
];
/** `(W12, W18)` in a text, or `W12: ` at its beginning. */
const FAULT_CODE = /['"`].* \((?:[PKRTSIWDXO]\d{1,2}(?:, )?)+\)|['"`](?:[PKRTSIWDXO]\d{1,2}(?:, )?)+: /;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
const SECRETS = [
  // A whole key has a checksum; documents write `mq_live_…`.
  /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/,
  new RegExp(`-----BEGIN [A-Z ]*PRIV${''}ATE KEY-----`),
  // Amazon, Google, GitHub, GitLab, npm, Slack, Stripe and its webhooks, SendGrid, JSON Web Tokens.
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\b(gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{60})/,
  /\bglpat-[0-9A-Za-z_-]{20}/,
  /\bnpm_[0-9A-Za-z]{36}\b/,
  /\bxox[abprs]-[0-9A-Za-z-]{20}/,
  /\b[rs]k_live_[0-9A-Za-z]{16}/,
  /\bwhsec_[0-9A-Za-z+/]{32}/,
  /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/,
  /\beyJ[0-9A-Za-z_-]{16,}\.eyJ[0-9A-Za-z_-]{16,}\./,
  // A password within an address; examples say `password`.
  /\b[a-z]{3,12}:\/\/[^\s/:@'"`${}]+:(?!password|secret|pass\b|p%40ss|x\b)[^\s/:@'"`${}]{12,}@/i,
];
