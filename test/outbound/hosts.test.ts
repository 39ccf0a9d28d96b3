import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutbound } from '../../src/outbound/index.ts';
import { type EvilOrigin, openEvilOrigin, redirect, reply } from '../support/network/evil-origin.ts';
import { pretendInternet } from '../support/network/pretended-internet.ts';

let origin: EvilOrigin;
let inner: EvilOrigin;
beforeAll(async () => {
  origin = await openEvilOrigin();
  inner = await openEvilOrigin({ '/': (socket) => reply(socket, { body: 'for us alone' }) });
});
afterAll(() => Promise.all([origin.close(), inner.close()]));

/** What a name server might say. */
const PUBLIC = { address: '93.184.215.14', family: 4 };
const answers = (addresses: readonly string[]) => async () =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a name', () => {
  it.each<[string, string[], string]>([
    ['of an inner address', ['10.1.2.3'], 'refused_address'],
    ['of loopback', ['127.0.0.1'], 'refused_address'],
    ['of the cloud’s metadata', ['169.254.169.254'], 'refused_address'],
    ['of public and inner addresses', ['93.184.215.14', '192.168.1.1'], 'refused_address'],
    ['of inner and public addresses', ['192.168.1.1', '93.184.215.14'], 'refused_address'],
    ['of an inner IPv6 address alone', ['fd00::1'], 'refused_address'],
    ['of a mapped address', ['::ffff:127.0.0.1'], 'refused_address'],
    ['of an inner address behind NAT64', ['64:ff9b::a9fe:a9fe'], 'refused_address'],
    ['of 4000 addresses, one of them inner', [...Array(3_999).fill('93.184.215.14'), '10.0.0.1'], 'refused_address'],
    ['of nothing', [], 'unresolvable'],
    ['of nonsense', ['localhost'], 'refused_address'],
  ])('%s is not connected to', async (_, addresses, code) => {
    let dialled = 0;
    const { connect } = pretendInternet({});
    const outbound = openOutbound({
      lookup: answers(addresses),
      connect: ((options: never) => {
        const socket = connect(options);
        socket.on('connectionAttempt', () => dialled++);
        return socket;
      }) as typeof connect,
    });
    expect(await outbound.fetch({ url: 'http://127.0.0.1.nip.io/' })).toMatchObject({ ok: false, code });
    expect(dialled).toBe(0);
    await outbound.close();
  });

  it('is looked up once, and what was checked is what is connected to', async () => {
    const sequence = [[PUBLIC], [{ address: '127.0.0.1', family: 4 }]];
    let asked = 0;
    const { connect } = pretendInternet({ 'rebinding.example.org:80': origin.port });
    const outbound = openOutbound({ connect, lookup: async () => sequence[Math.min(asked++, 1)] ?? [] });
    expect(await outbound.fetch({ url: 'http://rebinding.example.org/fine' })).toMatchObject({ ok: true });
    expect(asked).toBe(1);
    // The next request asks anew, and sees the trap.
    expect(await outbound.fetch({ url: 'http://rebinding.example.org/fine' })).toMatchObject({ code: 'refused_address' });
    await outbound.close();
  });

  it('whose connection ends elsewhere than was said is not spoken to', async () => {
    const { connect } = pretendInternet({ 'events.example.org:80': origin.port });
    const outbound = openOutbound({
      lookup: async () => [PUBLIC],
      connect: ((options: never) =>
        Object.defineProperty(connect(options), 'remoteAddress', { value: '127.0.0.1' })) as typeof connect,
    });
    const before = origin.seen.length;
    expect(await outbound.fetch({ url: 'http://events.example.org/fine' })).toMatchObject({
      code: 'refused_address',
      detail: 'events.example.org is not at a public address',
    });
    expect(origin.seen.length).toBe(before);
    await outbound.close();
  });

  it('that nobody knows, or whose server is silent, is an outcome', async () => {
    const unknown = openOutbound({ lookup: pretendInternet({}).lookup });
    expect(await unknown.fetch({ url: 'http://nobody.example.org/' })).toMatchObject({ code: 'unresolvable' });
    const silent = openOutbound({ lookup: () => new Promise(() => {}), limits: { headersMs: 50 } });
    expect(await silent.fetch({ url: 'http://silent.example.org/' })).toMatchObject({ code: 'timeout' });
    await Promise.all([unknown.close(), silent.close()]);
  });

  it('on the operator’s list may be private', async () => {
    const lookup = answers(['127.0.0.1']);
    const outbound = openOutbound({ lookup, allowedHosts: [`events.internal:${inner.port}`] });
    expect(await outbound.fetch({ url: `http://events.internal:${inner.port}/` })).toMatchObject({ ok: true });
    expect(await outbound.fetch({ url: `http://other.example.org:${inner.port}/` })).toMatchObject({ code: 'refused_address' });
    await outbound.close();
  });
});

describe('a redirect', () => {
  const outboundTo = (places: Record<string, number>, allowedHosts: string[] = []) =>
    openOutbound({ ...pretendInternet({ 'events.example.org:80': origin.port, ...places }), allowedHosts });
  const to = (url: string) => `http://events.example.org/to?url=${encodeURIComponent(url)}`;

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'refused_address'],
    ['http://[::1]/', 'refused_address'],
    ['http://0x7f000001/', 'refused_address'],
    ['http://localhost/', 'refused_address'],
    ['//127.0.0.1/', 'refused_address'],
    ['file:///etc/passwd', 'refused_address'],
    ['gopher://127.0.0.1:25/', 'refused_address'],
    ['javascript:alert(1)', 'refused_address'],
    ['http://', 'refused_address'],
    ['http://events.example.org:6379/', 'refused_address'],
    ['http://user:secret@events.example.org/', 'refused_address'],
    ['http://nobody.example.org/', 'unresolvable'],
    ['/loop', 'redirects'],
    ['/hops?left=30', 'redirects'],
    ['/hops?left=2', 'redirects'],
  ])('to %s is %s', async (url, code) => {
    const outbound = outboundTo({});
    expect(await outbound.fetch({ url: to(url) })).toMatchObject({ ok: false, code });
    await outbound.close();
  });

  it('is followed three times, by whatever status, and with raw UTF-8 in it', async () => {
    const outbound = outboundTo({});
    expect(await outbound.fetch({ url: to('/hops?left=1') })).toMatchObject({ ok: true, url: 'http://events.example.org/fine' });
    const other = await openEvilOrigin({
      ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`/${status}`, redirect('/fine', status)])),
      '/café': redirect('/fine'),
      '/raw': (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /caf\u00e9\r\n\r\n'),
    });
    const there = outboundTo({ 'events.example.org:80': other.port });
    for (const status of [301, 302, 303, 307, 308])
      expect(await there.fetch({ url: `http://events.example.org/${status}` })).toMatchObject({ ok: true });
    await there.fetch({ url: 'http://events.example.org/raw' });
    expect(other.seen.at(-1)?.path).toBe('/caf%C3%A9');
    await Promise.all([there.close(), outbound.close(), other.close()]);
  });

  it('of what is posted is not followed', async () => {
    const outbound = outboundTo({});
    expect(await outbound.fetch({ url: to('/fine'), method: 'POST' })).toMatchObject({ code: 'redirects', status: 302 });
    await outbound.close();
  });

  it('of an API brings its refusals back as answers; what is deleted is not followed either', async () => {
    const api = await openEvilOrigin({
      '/no': (socket) => socket.end('HTTP/1.1 402 Payment Required\r\nRequest-Id: r1\r\nContent-Length: 2\r\n\r\nno'),
      '/away': (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /no\r\nContent-Length: 0\r\n\r\n'),
    });
    const there = outboundTo({ 'api.example.org:80': api.port });
    const ask = (path: string) => there.fetch({ url: `http://api.example.org${path}`, method: 'DELETE', isApi: true });
    const refused = await ask('/no');
    expect(refused).toMatchObject({ ok: true, status: 402, headers: { 'request-id': 'r1' } });
    expect(refused.ok === true && Buffer.from(refused.body).toString()).toBe('no');
    expect(api.seen[0]?.method).toBe('DELETE');
    expect(await ask('/away')).toMatchObject({ code: 'redirects' });
    await Promise.all([there.close(), api.close()]);
  });

  it('takes headers along on the same host, and to no other', async () => {
    const outbound = outboundTo({ 'other.example.org:80': inner.port });
    const headers = { 'X-Api-Key': 'k-123' };
    await outbound.fetch({ url: to('/fine'), headers });
    expect(origin.seen.at(-1)).toMatchObject({ path: '/fine', headers: { 'x-api-key': 'k-123' } });
    await outbound.fetch({ url: to('http://other.example.org/'), headers });
    expect(inner.seen.at(-1)).toMatchObject({ path: '/', headers: { host: 'other.example.org' } });
    expect(inner.seen.at(-1)?.headers).not.toHaveProperty('x-api-key');
    await outbound.close();
  });

  it('of a public site does not lead to what the operator’s list opens', async () => {
    const outbound = outboundTo({}, [`127.0.0.1:${inner.port}`]);
    const url = `http://127.0.0.1:${inner.port}/`;
    const before = inner.seen.length;
    expect(await outbound.fetch({ url: to(url) })).toMatchObject({ code: 'refused_address' });
    expect(inner.seen.length).toBe(before);
    await outbound.close();
    const listed = openOutbound({ allowedHosts: [`127.0.0.1:${inner.port}`, `127.0.0.1:${origin.port}`] });
    expect(await listed.fetch({ url })).toMatchObject({ ok: true });
    // One inner host may lead to another.
    expect(await listed.fetch({ url: `${origin.url}/to?url=${encodeURIComponent(url)}` })).toMatchObject({ ok: true });
    await listed.close();
  });
});
