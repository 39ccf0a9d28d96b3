/** What `doctor` says about the world around the service. One engine is enough: nothing here asks the database for more than its age. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeCertificate, describeFileLimit } from '../../src/commands/doctor-checks.ts';
import { openStore } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openFakeSmtp } from '../support/fakes/smtp.ts';
import { makeAuthority, makeCertificate } from '../support/network/certificate.ts';
import { freePort } from '../support/network/free-port.ts';
import { marquee } from '../support/rigs/service.ts';

const DAY = 86_400_000;
const { folder, remove } = temporaryFolder();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
// The checks are those of a service that was started once.
beforeAll(async () => (await openStore({ dataDir: folder })).close());
afterAll(remove);

const authority = makeAuthority('Test authority');

/** Answers on loopback with a certificate; gives its address. */
async function serve(options: Parameters<typeof makeCertificate>[0]): Promise<string> {
  const server = createServer(makeCertificate(options)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function doctor(settings: Record<string, string>): Promise<string[]> {
  const { status, stdout, stderr } = await marquee(['doctor'], { MARQUEE_DATA_DIR: folder, ...settings });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n');
}

describe('doctor', () => {
  it('tells of the disk, open files, certificate, mail server and backups', async () => {
    const ca = join(folder, 'authority.pem');
    writeFileSync(ca, authority.cert);
    const smtp = await openFakeSmtp();
    try {
      const lines = await doctor({
        NODE_EXTRA_CA_CERTS: ca,
        MARQUEE_PUBLIC_URL: await serve({ names: ['127.0.0.1'], until: new Date(Date.now() + 40 * DAY), issuer: authority }),
        SMTP_URL: smtp.url,
        MARQUEE_BACKUP_URL: join(folder, 'vault'),
      });
      expect(lines).toContainEqual(expect.stringMatching(/^disk {10}(ALMOST FULL, )?[\d.]+ GB of [\d.]+ GB free/));
      expect(lines).toContainEqual(expect.stringMatching(/^open files {4}\d+/));
      expect(lines).toContainEqual(expect.stringMatching(/^certificate {3}valid, ends in (39|40) days$/));
      expect(lines).toContain('mail server   127.0.0.1 takes emails from Marquee <no-reply@127.0.0.1>');
      expect(lines).toContain(`backups       NONE YET, every 24 h to ${join(folder, 'vault')}`);
      expect(smtp.messages).toEqual([]);
    } finally {
      await smtp.close();
    }
  });

  it('says what is not set', async () => {
    const lines = await doctor({});
    expect(lines).toContain('certificate   not checked; MARQUEE_PUBLIC_URL is not set');
    expect(lines).toContain('mail server   none; emails become files in the data folder');
    expect(lines).toContain('backups       not scheduled; set MARQUEE_BACKUP_URL');
  });

  it('says that a mail server does not take the sender, and that none answers', async () => {
    const smtp = await openFakeSmtp();
    smtp.senderRefusals.push('550 5.7.1 not your domain');
    const backups = { MARQUEE_BACKUP_URL: join(folder, 'vault'), MARQUEE_BACKUP_EVERY: '90m' };
    const lines = await doctor({ SMTP_URL: smtp.url, MARQUEE_MAIL_FROM: 'City <city@example.org>', ...backups });
    expect(lines).toContain(`backups       NONE YET, every 90 min to ${join(folder, 'vault')}`);
    await smtp.close();
    expect(lines).toContain(
      'mail server   127.0.0.1 DOES NOT TAKE emails: it does not take the sender city@example.org: 550 5.7.1 not your domain',
    );
    expect(smtp.messages).toEqual([]);
    const silent = await doctor({ SMTP_URL: `smtp://ada:pass-word@127.0.0.1:${await freePort()}` });
    expect(silent).toContainEqual(expect.stringMatching(/^mail server {3}127\.0\.0\.1 DOES NOT TAKE emails: .*ECONNREFUSED/));
    expect(silent.join()).not.toContain('pass-word');
  });
});

describe('a certificate of the public URL', () => {
  it.each([
    ['that nobody signed', { names: ['127.0.0.1'] }, /^NOT TRUSTED by clients: .+; it ends in \d+ days$/],
    ['that ended', { names: ['127.0.0.1'], until: new Date(Date.now() - 3 * DAY), from: new Date(0) }, /it ended \d days ago$/],
    ['of another name', { names: ['events.example.org'] }, /^NOT TRUSTED/],
  ])('%s is named', async (_, options, sentence) => {
    expect(await describeCertificate(await serve(options))).toMatch(sentence);
  });

  it('is missing where nobody answers, and where the URL is not https', async () => {
    const port = await freePort();
    expect(await describeCertificate(`https://127.0.0.1:${port}`)).toBe(
      `DOES NOT ANSWER at https://127.0.0.1:${port}: ECONNREFUSED`,
    );
    expect(await describeCertificate('http://events.example.org')).toMatch(/^NONE: /);
  });
});

it('a limit of open files is too few below 10,240', () => {
  expect(describeFileLimit(10_240)).toBe('10240');
  expect(describeFileLimit(1024)).toMatch(/^1024, TOO FEW/);
  expect(describeFileLimit(null)).toBe('cannot be read on this system');
});
