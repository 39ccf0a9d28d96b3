import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { isAllowedHost, openOutbound } from '../../src/outbound/index.ts';

const check = (url: string, ...allowedHosts: string[]) => openOutbound({ allowedHosts }).checkAddress(url);
const reason = (url: string, ...allowedHosts: string[]) => {
  const checked = check(url, ...allowedHosts);
  return checked.ok ? 'accepted' : checked.reason;
};

describe('an address to be asked', () => {
  it('is judged alike when it is saved and when it is fetched', async () => {
    for (const url of [
      'http://127.1/',
      'http://localhost/',
      'ftp://events.example.org/',
      'http://events.example.org:22/',
      'http://a@b.example.org/',
    ]) {
      const outbound = openOutbound();
      const saved = outbound.checkAddress(url);
      expect(await outbound.fetch({ url })).toMatchObject({ code: 'refused_address', detail: saved.ok ? 'taken' : saved.reason });
    }
  });

  it.each([
    ['https://events.example.org/feed.ics', 'https://events.example.org/feed.ics'],
    ['http://events.example.org', 'http://events.example.org/'],
    ['HTTPS://EVENTS.Example.ORG:443/a?b=c#part', 'https://events.example.org/a?b=c'],
    ['https://events.example.org./a', 'https://events.example.org/a'],
    ['https://théâtre.example.org/', 'https://xn--thtre-4qa2c.example.org/'],
    ['http://93.184.215.14/', 'http://93.184.215.14/'],
    ['http://[2606:2800:21f::1]/', 'http://[2606:2800:21f::1]/'],
    ['http://[64:ff9b::5db8:d70e]/', 'http://[64:ff9b::5db8:d70e]/'],
    // Refused only when its name is looked up.
    ['http://127.0.0.1.nip.io/', 'http://127.0.0.1.nip.io/'],
  ])('is taken: %s', (url, asked) => {
    expect(check(url)).toEqual({ ok: true, url: asked });
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0177.1',
    '017700000001',
    '①②⑦.⓪.⓪.①',
    '１２７．０．０．１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
    '[2001:db8::1]',
  ])('is not that of %s', (host) => {
    expect(reason(`http://${host}/`)).toMatch(/is not a public address$/);
    expect(reason(`https://${host}:443/x`)).toMatch(/is not a public address$/);
  });

  it.each([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'app.localhost',
    'localhost.localdomain',
    'database',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'nas.lan',
    'hidden.onion',
  ])('is not that of %s, a name inside', (host) => {
    expect(reason(`http://${host}/`)).toMatch(/is not a name of the public internet$/);
  });

  it.each([
    ['http://user@events.example.org/', 'the URL must not have a user name or a password'],
    ['http://user:secret@events.example.org/', 'the URL must not have a user name or a password'],
    ['http://events.example.org@127.0.0.1/', 'the URL must not have a user name or a password'],
    ['http://events.example.org:25/', 'the port 25 is not allowed, only 80 and 443'],
    ['http://events.example.org:6379/', 'the port 6379 is not allowed, only 80 and 443'],
    ['https://events.example.org:22/', 'the port 22 is not allowed, only 80 and 443'],
    ['http://events.example.org:0/', 'the port 0 is not allowed, only 80 and 443'],
    ['http://events.example.org:65536/', 'this is not a URL, or its host is not valid'],
    ['http://', 'this is not a URL, or its host is not valid'],
    ['//events.example.org/', 'this is not a URL, or its host is not valid'],
    ['http://exa mple.org/', 'this is not a URL, or its host is not valid'],
    ['http://1.2.3.4.5/', 'this is not a URL, or its host is not valid'],
    ['file:///etc/passwd', 'only http and https URLs are allowed'],
    ['gopher://events.example.org/', 'only http and https URLs are allowed'],
    ['ftp://events.example.org/', 'only http and https URLs are allowed'],
    ['data:text/plain,hello', 'only http and https URLs are allowed'],
    ['javascript:alert(1)', 'only http and https URLs are allowed'],
    ['webcal://events.example.org/', 'only http and https URLs are allowed'],
    [`http://events.example.org/${'a'.repeat(2_048)}`, 'the URL is longer than 2048 characters'],
  ])('is not %s', (url, why) => {
    expect(reason(url)).toBe(why);
  });
});

describe('the list of allowed hosts', () => {
  it.each([
    ['http://events.internal/', 'events.internal', true],
    ['http://Events.Internal./', 'EVENTS.internal', true],
    ['http://events.internal:8080/', 'events.internal', false],
    ['http://events.internal:8080/', 'events.internal:8080', true],
    ['http://events.internal/', 'events.internal:8080', false],
    ['http://other.internal/', 'events.internal', false],
    ['http://database/', 'database', true],
    ['http://events.example.org:8443/', 'events.example.org:8443', true],
    ['http://10.1.2.3/', '10.1.2.3', true],
    ['http://10.1.2.3/', '10.1.2.0/24', true],
    ['http://10.1.3.3/', '10.1.2.0/24', false],
    ['http://10.1.2.3:81/', '10.1.2.0/24', false],
    ['http://10.1.2.3:81/', '10.1.2.3:81', true],
    ['http://127.1:81/', '127.0.0.1:81', true],
    ['http://[fd00::1]/', 'fd00::/8', true],
    ['http://[fd00::1]/', 'fd00::1', true],
    ['http://[fd00::1]:81/', '[fd00::1]:81', true],
    ['http://[::ffff:10.1.2.3]/', '10.1.2.3', false],
    ['http://user@events.internal/', 'events.internal', false],
    ['ftp://events.internal/', 'events.internal', false],
  ])('decides on %s with %s: %s', (url, entry, isTaken) => {
    expect(check(url, 'something.else', entry).ok).toBe(isTaken);
  });

  it.each([
    '',
    ' ',
    'a b',
    'http://events.internal',
    'events.internal/x',
    'events.internal:0',
    'events.internal:70000',
    '10.0.0.0/33',
    '[fd00::1',
    '[]',
    '*',
  ])('has no entry %j', (entry) => {
    expect(isAllowedHost(entry)).toBe(false);
    expect(() => openOutbound({ allowedHosts: [entry] })).toThrow(RangeError);
  });

  it('is a setting, of which a bad entry refuses the start', () => {
    const read = (text: string) => readConfig({ MARQUEE_ALLOWED_HOSTS: text }).allowedHosts;
    expect(read(' events.internal:8080 , 10.0.5.0/24,')).toEqual(['events.internal:8080', '10.0.5.0/24']);
    expect(read('')).toEqual([]);
    expect(() => read('events.internal,http://other.internal')).toThrow(
      /MARQUEE_ALLOWED_HOSTS .* holds "http:\/\/other.internal"/,
    );
  });
});
