/** Both engines: a server goes away otherwise than an engine of this process. */

import { expect, it } from 'vitest';
import { openExportRig, until } from '../support/rigs/exports.ts';

it('while the database is away, files and exports answer 503 in time; then they are there again', async () => {
  const { site, ...rig } = await openExportRig({ faulty: true });
  try {
    const ada = await rig.createCustomer('ada@exports.example', 'enterprise');
    const requestId = await rig.request(ada);
    const { manifestUrl } = (await rig.api(`/exports/${(await rig.ready(ada, requestId)).id}`, ada.key)).body.data;
    const link = await rig.own.createLink(ada, requestId);
    const urls = [manifestUrl, `${site.url}/exports/${link.ok && link.token}/manifest.json`];
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    site.database?.freeze();
    for (const url of urls) {
      const answer = await fetch(url);
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'dependency_unavailable' })]);
    }
    expect((await rig.api('/exports', ada.key)).status).toBe(503);
    site.database?.thaw();
    for (const url of urls) await until(async () => (await fetch(url)).status === 200);
  } finally {
    site.database?.thaw();
    await site.close();
  }
});
