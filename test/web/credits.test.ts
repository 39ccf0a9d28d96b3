/** The lines that licences ask for, where readers see them. One engine is enough: a few lines are read. */

import { expect, test } from 'vitest';
import { sharedSite } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

test('every page names the makers of the data in its footer, and /status.json repeats them', async () => {
  const site = await sharedSite();
  const before = await site.store.db
    .selectFrom('source')
    .select(['id', 'licence', 'last_run_at'])
    .orderBy('name')
    .executeTakeFirstOrThrow();
  const set = { licence: 'Harbor <Weekly>, CC BY 4.0', last_run_at: new Date(site.now()) };
  await site.store.db.updateTable('source').set(set).where('id', '=', before.id).execute();
  try {
    for (const path of ['/', '/events', '/venues', '/status'])
      await until(async () =>
        expect(footerOf(await (await site.ask(path)).text())).toContain('Harbor &lt;Weekly&gt;, CC BY 4.0'),
      );
    expect(await (await site.ask('/status.json')).json()).toMatchObject({
      credits: expect.arrayContaining(['Harbor <Weekly>, CC BY 4.0']),
    });
  } finally {
    await site.store.db.updateTable('source').set(before).where('id', '=', before.id).execute();
  }
});

const footerOf = (html: string): string => /<footer[\s\S]*<\/footer>/.exec(html)?.[0] ?? '';
