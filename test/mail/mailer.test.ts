import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { type Mailer, type MailerOptions, openMailer } from '../../src/mail/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { type FakeSmtp, openFakeSmtp } from '../support/fakes/smtp.ts';
import { eventually } from '../support/processes/child-process.ts';

const EMAIL = {
  to: 'ada@example.org',
  subject: 'Confirm',
  text: 'Open https://x.example/verify?token=CANARY',
  html: '<p>CANARY</p>',
};
const NOON = Date.UTC(2026, 10, 21, 12);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(options: Partial<MailerOptions> = {}): { mailer: Mailer; folder: string; logged: string[] } {
  const { folder, remove } = temporaryFolder();
  const logged: string[] = [];
  const mailer = openMailer({
    smtpUrl: null,
    from: 'Marquee <no-reply@example.org>',
    dataDir: folder,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    now: () => NOON,
    retryAfterMs: [5, 5],
    ...options,
  });
  closers.push(remove, mailer.close);
  return { mailer, folder, logged };
}

async function openServer(): Promise<FakeSmtp> {
  const server = await openFakeSmtp();
  closers.push(server.close);
  return server;
}

describe('without a mail server', () => {
  it('an e-mail is a file that only its owner may read, and the log says so without what is in it', async () => {
    const { mailer, folder, logged } = open();
    const { id } = await mailer.send(EMAIL);
    const [file = ''] = readdirSync(join(folder, 'mail'));
    expect(statSync(join(folder, 'mail', file)).mode & 0o777).toBe(0o600);
    const text = readFileSync(join(folder, 'mail', file), 'utf8');
    expect(text).toMatch(/^To: ada@example.org$/m);
    expect(text).toMatch(/^From: Marquee <no-reply@example.org>$/m);
    expect(text).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(text).toContain('CANARY');
    expect(mailer.read(id)).toMatchObject({ to: 'ada@example.org', text: EMAIL.text, at: new Date(NOON) });
    expect(logged.join()).toContain('ada@example.org');
    expect(logged.join()).not.toContain('CANARY');
  });

  it('an e-mail is not read again in production', async () => {
    const { mailer, folder } = open({ isReadable: false });
    const { id } = await mailer.send(EMAIL);
    expect([mailer.read(id), mailer.recent()]).toEqual([null, []]);
    expect(readdirSync(join(folder, 'mail'))).toHaveLength(1);
  });

  it('keeps the latest at hand, not all', async () => {
    const { mailer } = open();
    for (let n = 0; n < 55; n++) await mailer.send({ ...EMAIL, subject: `e-mail ${n}` });
    expect(mailer.recent()).toHaveLength(50);
    expect(mailer.recent()[0]?.subject).toBe('e-mail 54');
    expect(mailer.read('unknown')).toBeNull();
  });
});

describe('with a mail server', () => {
  it('e-mails go out over few connections', async () => {
    const server = await openServer();
    const { mailer, logged } = open({ smtpUrl: server.url });
    await Promise.all(Array.from({ length: 10 }, () => mailer.send(EMAIL)));
    await eventually(() => server.messages.length === 10);
    expect(server.messages[0]).toMatchObject({ to: ['ada@example.org'] });
    expect(server.connections()).toBeLessThanOrEqual(2);
    expect(logged.join()).not.toContain('CANARY');
  });

  it('one that it cannot take now is tried again', async () => {
    const server = await openServer();
    server.refusals.push('450 later', '451 later');
    const { mailer } = open({ smtpUrl: server.url });
    await mailer.send(EMAIL);
    await eventually(() => server.messages.length === 1);
  });

  it('one is tried again where it refuses the connection or the password, which says nothing of the e-mail', async () => {
    const server = await openServer();
    server.greetings.push('554 not you');
    server.signInRefusals.push('535 wrong password');
    const { mailer, logged } = open({ smtpUrl: server.url.replace('//', '//us:old@') });
    await mailer.send(EMAIL);
    await eventually(() => server.messages.length === 1);
    expect(logged.filter((line) => line.includes('delayed'))).toHaveLength(2);
  });

  it('one that it refuses for good, or again and again, is given up and the log says so', async () => {
    const server = await openServer();
    const { mailer, logged } = open({ smtpUrl: server.url });
    server.refusals.push('550 no such person');
    await mailer.send(EMAIL);
    await eventually(() => logged.some((line) => line.includes('gave up sending')));
    server.refusals.push('450 later', '450 later', '450 later');
    await mailer.send(EMAIL);
    await eventually(() => logged.filter((line) => line.includes('gave up sending')).length === 2);
    expect(server.messages).toEqual([]);
    expect(logged.filter((line) => line.includes('delayed'))).toHaveLength(2);
  });

  it('nobody waits for one that does not answer', async () => {
    const { mailer } = open({ smtpUrl: 'smtp://127.0.0.1:9', retryAfterMs: [60_000], closeAfterMs: 20 });
    // The next attempt is a minute away.
    await mailer.send(EMAIL);
  });
});

describe('an e-mail that waits for the mail server', () => {
  const NOBODY = 'smtp://127.0.0.1:9';
  const waiting = (folder: string): string[] => readdirSync(join(folder, 'outbox'));
  const taken = (lines: readonly string[]) => lines.filter((line) => line.includes('took over an e-mail'));

  it.each([
    ['dies', () => 0],
    ['died while the clock was ahead by mistake', () => Date.now() / 1000 + 1_000_000],
  ])('is sent by another process when its own %s, once, whoever comes', async (_, lastTouch) => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    await mailer.send(EMAIL);
    const [file = ''] = waiting(folder);
    expect(statSync(join(folder, 'outbox', file)).mode & 0o777).toBe(0o600);
    utimesSync(join(folder, 'outbox', file), lastTouch(), lastTouch());
    const server = await openServer();
    const successors = [1, 2, 3].map(() => open({ smtpUrl: server.url, dataDir: folder }));
    await eventually(() => server.messages.length === 1 && waiting(folder).length === 0);
    for (const next of successors) await next.mailer.close();
    expect(server.messages).toHaveLength(1);
    expect(server.messages[0]?.data).toContain('Sat, 21 Nov 2026 12:00:00 +0000');
    const logged = successors.flatMap((next) => next.logged);
    expect(taken(logged)).toHaveLength(1);
    expect(logged.join()).not.toContain('CANARY');
  });

  it('is left to its process while that lives', async () => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], leaseMs: 60, closeAfterMs: 1 });
    await mailer.send(EMAIL);
    const [file = ''] = waiting(folder);
    const touchedAt = () => statSync(join(folder, 'outbox', file)).mtimeMs;
    const first = touchedAt();
    await eventually(() => touchedAt() > first);
    const other = open({ smtpUrl: NOBODY, dataDir: folder, leaseMs: 60_000 });
    await other.mailer.close();
    expect([taken(other.logged), waiting(folder)]).toEqual([[], [file]]);
  });

  it('is sent after the next start when the service ends before', async () => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    await mailer.send(EMAIL);
    await mailer.close();
    const server = await openServer();
    open({ smtpUrl: server.url, dataDir: folder });
    await eventually(() => server.messages.length === 1 && waiting(folder).length === 0);
  });

  it('is never dropped, however many wait: those beyond a thousand are sent too', async () => {
    const { mailer, folder, logged } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    const numbers = Array.from({ length: 1_010 }, (_, n) => n);
    for (const n of numbers) await mailer.send({ ...EMAIL, subject: `number ${n}.` });
    expect(waiting(folder)).toHaveLength(numbers.length);
    await mailer.close();
    const server = await openServer();
    open({ smtpUrl: server.url, dataDir: folder });
    await eventually(() => server.messages.length === numbers.length && waiting(folder).length === 0);
    const sent = server.messages.map(({ data }) => Number(/^Subject: number (\d+)\./m.exec(data)?.[1]));
    expect(sent.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(logged.join()).not.toContain('too many');
  });

  it('is refused to its sender where neither the disk nor memory takes it', async () => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    writeFileSync(join(folder, 'outbox'), 'no folder');
    for (let n = 0; n < 1_000; n += 1) await mailer.send(EMAIL);
    await expect(mailer.send(EMAIL)).rejects.toThrow('too many wait in memory');
  });

  it('that is private stays so when another process takes it over', async () => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    await mailer.send({ ...EMAIL, isPrivate: true });
    await mailer.close();
    const next = open({ smtpUrl: NOBODY, dataDir: folder, retryAfterMs: [] });
    await eventually(() => next.logged.some((line) => line.includes('gave up sending')));
    expect(next.logged.join()).not.toContain('ada@example.org');
  });

  it('is given up when its links are over; what is half written or none of ours goes too', async () => {
    const { mailer, folder } = open({ smtpUrl: NOBODY, retryAfterMs: [60_000], closeAfterMs: 1 });
    await mailer.send(EMAIL);
    await mailer.close();
    const id = crypto.randomUUID();
    for (const name of [`${id}.half`, `${id}.${id}.json`]) {
      const file = join(folder, 'outbox', name);
      writeFileSync(file, '{"to":');
      utimesSync(file, 0, 0);
    }
    mkdirSync(join(folder, 'outbox', 'a folder'));
    const server = await openServer();
    const { logged } = open({ smtpUrl: server.url, dataDir: folder, now: () => NOON + 25 * 3_600_000 });
    await eventually(() => waiting(folder).join() === 'a folder');
    expect(logged.filter((line) => line.includes('it waited too long'))).toHaveLength(2);
    expect(server.messages).toEqual([]);
  });
});

describe('an address or a subject', () => {
  it.each([
    'ada@example.org\r\nBcc: eve@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org;eve@example.org',
    'Ada <ada@example.org>',
    'ada@example.org\0',
    '"ada@example.org\\"@example.org',
    'group: ada@example.org;',
  ])('makes no second recipient: %j', async (to) => {
    const { mailer, folder } = open();
    await expect(mailer.send({ ...EMAIL, to })).rejects.toThrow('one plain e-mail address');
    expect(() => readdirSync(join(folder, 'mail'))).toThrow();
  });

  it('makes no header', async () => {
    const server = await openServer();
    const { mailer } = open({ smtpUrl: server.url });
    await mailer.send({ ...EMAIL, subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nbody' });
    await eventually(() => server.messages.length === 1);
    expect(server.messages[0]?.to).toEqual(['ada@example.org']);
    expect(server.messages[0]?.data).not.toMatch(/^Bcc:/m);
  });
});
