import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutbound } from '../../src/outbound/index.ts';
import { makeAuthority, makeCertificate } from '../support/network/certificate.ts';
import { openEvilOrigin, redirect } from '../support/network/evil-origin.ts';
import { pretendInternet } from '../support/network/pretended-internet.ts';

const NAME = 'events.example.org';
const authority = makeAuthority('A trusted authority');
const stranger = makeAuthority('Anybody');
const before = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...before, authority.cert]));
afterAll(() => setDefaultCACertificates(before));

const past = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('a TLS server', () => {
  it.each<[string, object, string]>([
    [
      'expired',
      makeCertificate({ names: [NAME], issuer: authority, from: past(2), until: past(1) }),
      'has a certificate that has expired (CERT_HAS_EXPIRED)',
    ],
    [
      'not yet valid',
      makeCertificate({ names: [NAME], issuer: authority, from: past(-1), until: past(-2) }),
      'has a certificate that is not valid yet (CERT_NOT_YET_VALID)',
    ],
    [
      'of another name',
      makeCertificate({ names: ['other.example.org'], issuer: authority }),
      'has a certificate for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    [
      'signed by itself',
      makeCertificate({ names: [NAME] }),
      'has a certificate that it signed itself (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      'of an unknown authority',
      makeCertificate({ names: [NAME], issuer: stranger }),
      'has a certificate without the chain that proves it (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    ],
    [
      'of TLS 1.0 alone',
      {
        ...makeCertificate({ names: [NAME], issuer: authority }),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      },
      'could not agree on TLS',
    ],
  ])('%s is refused, and the class of the error is told', async (_, tls, says) => {
    const origin = await openEvilOrigin({}, tls);
    const outbound = openOutbound(pretendInternet({ [`${NAME}:443`]: origin.port }));
    const outcome = await outbound.fetch({ url: `https://${NAME}/fine` });
    expect(outcome).toMatchObject({ ok: false, code: 'tls', detail: expect.stringContaining(`${NAME} ${says}`) });
    expect(origin.seen).toEqual([]);
    await Promise.all([origin.close(), outbound.close()]);
  });

  it('is not believed because the environment says so', async () => {
    const origin = await openEvilOrigin({}, makeCertificate({ names: [NAME] }));
    const outbound = openOutbound(pretendInternet({ [`${NAME}:443`]: origin.port }));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await outbound.fetch({ url: `https://${NAME}/fine` })).toMatchObject({ code: 'tls' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    await Promise.all([origin.close(), outbound.close()]);
  });

  it('with a chain of 16 KB is read, as is one at an address', async () => {
    const origin = await openEvilOrigin(
      {},
      makeCertificate({ names: [NAME, '127.0.0.1'], issuer: authority, padding: 16 * 1024 }),
    );
    const outbound = openOutbound({ ...pretendInternet({ [`${NAME}:443`]: origin.port }) });
    expect(await outbound.fetch({ url: `https://${NAME}/fine` })).toMatchObject({ ok: true });
    const listed = openOutbound({ allowedHosts: [`127.0.0.1:${origin.port}`] });
    expect(await listed.fetch({ url: `${origin.url}/fine` })).toMatchObject({ ok: true });
    await Promise.all([origin.close(), outbound.close(), listed.close()]);
  });

  it('that never ends its handshake is left', async () => {
    const mute = await openEvilOrigin();
    const outbound = openOutbound({ ...pretendInternet({ [`${NAME}:443`]: mute.port }), limits: { headersMs: 200 } });
    expect(await outbound.fetch({ url: `https://${NAME}/fine` })).toMatchObject({ code: 'timeout' });
    await Promise.all([mute.close(), outbound.close()]);
  });

  it('may be where http leads to, with its key, but not lead back to http', async () => {
    const plain = await openEvilOrigin({ '/up': redirect(`https://${NAME}/fine`) });
    const secure = await openEvilOrigin(
      { '/down': redirect(`http://${NAME}/fine`) },
      makeCertificate({ names: [NAME], issuer: authority }),
    );
    const outbound = openOutbound(pretendInternet({ [`${NAME}:80`]: plain.port, [`${NAME}:443`]: secure.port }));
    expect(await outbound.fetch({ url: `http://${NAME}/up`, headers: { 'x-key': 'k' } })).toMatchObject({
      ok: true,
      url: `https://${NAME}/fine`,
    });
    expect(secure.seen[0]?.headers['x-key']).toBe('k');
    expect(await outbound.fetch({ url: `https://${NAME}/down` })).toMatchObject({
      code: 'redirects',
      detail: `${NAME} redirects from https to http`,
    });
    expect(plain.seen).toHaveLength(1);
    await Promise.all([plain.close(), secure.close(), outbound.close()]);
  });
});
