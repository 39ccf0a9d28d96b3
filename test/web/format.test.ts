/** Numbers and dates in one locale; moments on the reader's clocks with UTC beside them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  dateFormat,
  formatDate,
  formatHour,
  formatLocal,
  formatMoment,
  formatNumber,
  formatPercent,
  formatTick,
} from '../../src/web/model/format.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, visit } from '../support/runs/browser.ts';

const AT = new Date('2026-11-29T15:30:00Z');

describe('the locale of the pages', () => {
  test('is en-US for numbers, dates and times', () => {
    expect([formatNumber(1234), formatNumber(0.256, 2), formatPercent(0.123)]).toEqual(['1,234', '0.26', '12%']);
    expect([formatDate('2026-11-29'), formatHour(AT.getTime())]).toEqual(['Nov 29', 'Nov 29, 3:30 PM']);
    expect([0, 12, 15].map((hour) => formatTick(Date.UTC(2026, 10, 29, hour)))).toEqual(['Nov 29', '12 PM', '']);
    expect(formatLocal('2026-11-29T15:30:00-05:00')).toEqual({ day: 'Sun, Nov 29', hour: '3:30 PM' });
  });

  test('has plain spaces, as in every browser', () => {
    expect(dateFormat({ hour: 'numeric', timeZone: 'UTC' }).format(AT)).toBe('3 PM');
  });

  test('is asked for in one file', () => {
    const folder = join(import.meta.dirname, '../../src/web');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    const others = files.filter((file) =>
      /toLocale|new Intl\.(?:DateTime|Number|Percent|List|Relative)|en-GB/.test(readFileSync(join(folder, file), 'utf8')),
    );
    expect(others.sort()).toEqual(['model/format.ts', 'model/page-language.ts']);
  });
});

describe('a moment', () => {
  test('is in UTC until the reader’s zone is known, and for a reader in UTC', () => {
    for (const zone of [null, 'UTC']) {
      expect(formatMoment(AT, 'whole', zone)).toEqual({ utc: 'Nov 29, 2026, 3:30 PM UTC', shown: '' });
      expect(formatMoment(AT, 'day', zone)).toEqual({ utc: 'Nov 29, 2026', shown: '' });
    }
  });

  test('is then on the reader’s clocks, with UTC beside it', () => {
    expect(formatMoment(AT, 'whole', 'America/New_York')).toEqual({ utc: '3:30 PM UTC', shown: 'Nov 29, 2026, 10:30 AM' });
    expect(formatMoment(AT, 'whole', 'Asia/Tokyo')).toEqual({
      utc: 'Nov 29, 2026, 3:30 PM UTC',
      shown: 'Nov 30, 2026, 12:30 AM',
    });
    expect(formatMoment(AT, 'day', 'Asia/Tokyo')).toEqual({ utc: 'Nov 29, 2026 UTC', shown: 'Nov 30, 2026' });
    expect(formatMoment(AT, 'time', 'America/New_York')).toEqual({ utc: '3:30 PM UTC', shown: '10:30 AM' });
  });
});

describeInBrowser('a reader far from UTC', () => {
  let site: Site;
  let reader: Person;
  beforeAll(async () => {
    site = await sharedSite();
    reader = await site.signIn({ email: 'far-away@example.org' });
  });

  test('reads the local time with UTC beside it, and no part of the page is made twice', async () => {
    const { page, context, complaints, close } = await visit(site.url, { zone: 'Asia/Tokyo' });
    await context.addCookies(reader.cookies);
    await page.goto('/dashboard/account');
    const moment = page.locator('time').first();
    const at = new Date((await moment.getAttribute('datetime')) ?? '');
    const { utc, shown } = formatMoment(at, 'whole', 'Asia/Tokyo');
    await expect.poll(() => moment.textContent()).toBe(`${shown} (${utc})`);
    // React says so in the console where the server's text is not the browser's.
    expect(complaints()).toEqual([]);
    await close();
  });

  test('reads UTC where no script runs', async () => {
    const { page, context, close } = await visit(site.url, { zone: 'Asia/Tokyo', scripts: false });
    await context.addCookies(reader.cookies);
    await page.goto('/dashboard/account');
    expect(await page.locator('time').first().textContent()).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M UTC$/);
    await close();
  });
});
