/** From the dashboard to the first delivered test event, as a person with a browser goes. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openReceiver, type Receiver } from '../support/network/receiver.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { describeJourney, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  site = await openSite({ settings: { MARQUEE_ALLOWED_HOSTS: receiver.host } });
});
afterAll(async () => {
  await site.close();
  await receiver.close();
});

describeJourney('a new Enterprise customer', () => {
  test('gets the first test event after six clicks and one typed address', async () => {
    const { email, cookies } = await site.signIn({ email: 'first-hook@example.org', tier: 'enterprise' });
    await createAccounts({ db: site.store.db, now: site.now }).createKey({ email });
    const { page, context, complaints, close } = await visit(site.url);
    await context.addCookies(cookies);
    let clicks = 0;
    const click = async (role: 'link' | 'button', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    };
    await page.goto('/dashboard');
    clicks += 1;
    await page.locator('a[href="/dashboard/webhooks"]').first().click();
    await click('link', 'Create endpoint');
    await page.getByLabel('URL', { exact: true }).fill(receiver.url);
    await click('button', 'Create endpoint');
    await page.getByText('whsec_').first().waitFor();
    await click('link', 'Continue to the endpoint');
    await click('button', 'Verify endpoint');
    await page.getByText('The endpoint is verified and active.').waitFor();
    await click('button', 'Send test event');
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.body.data.test).toBe(true);
    expect(clicks).toBe(6);
    expect(complaints()).toEqual([]);

    await close();
  });
});
