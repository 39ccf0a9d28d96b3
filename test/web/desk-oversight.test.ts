import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../../src/accounts/index.ts';
import { listSources, readRunLines } from '../../src/ingest/index.ts';
import { eventually } from '../support/processes/child-process.ts';
import { type DeskSource, type DeskTools, openDesk } from '../support/rigs/desk.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import {
  describeInBrowser,
  describeJourney,
  findBarriers,
  sticksOut,
  type VisitOptions,
  visit,
} from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let desk: DeskTools;
let radio: DeskSource;
let held: DeskSource;
let failing: DeskSource;
let ann: Person;
let bob: Person;
let developer: Person;
let heldRun: string;

const CANARY = `"><img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`;
const NAME = `<b onclick="x">evil</b> ‮source`;

beforeAll(async () => {
  site = await openSite();
  desk = await openDesk(site);
  ({ radio } = await desk.ask());
  held = await desk.hold('Harbour Calendar');
  failing = await desk.fail('City Hall');
  await desk.pause('old newsletter');
  const evil = await desk.add(NAME);
  evil.write([desk.show('e1', 'Opal Kettle', { days: 25 })]);
  await evil.run();
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
  bob = await site.signIn({ email: 'bob@desk.example', operator: true });
  developer = await site.signIn({ email: 'dev@example.org', tier: 'growth' });
  const runs = await readRunLines({ store: site.store });
  heldRun = runs.find(({ state }) => state === 'held')?.id ?? '';
});
afterAll(() => site.close());

/** Past the cleaning of listings, as if it had a hole: pages must not rely on it. */
async function plant(run: string): Promise<void> {
  const { db } = site.store;
  const difference = { created: [], merged: [], cancelled: [], vanished: [] };
  const changed = [{ id: CANARY, title: CANARY, fields: { [CANARY]: [CANARY, [CANARY]] } }];
  const report = { difference: { ...difference, changed }, remarks: [CANARY], waiting: { [CANARY]: 1 } };
  const summary = { created: 0, changed: 1, merged: 0, cancelled: 0, vanished: 0, listings: 1, rejected: 0, waiting: 1 };
  await db
    .updateTable('run')
    .set({ report: JSON.stringify(report), summary: JSON.stringify(summary), error: CANARY })
    .where('id', '=', run)
    .execute();
  await db.updateTable('source').set({ last_error: CANARY }).where('name', '=', NAME).execute();
  const evidence = JSON.stringify([{ kind: 'title', speaksFor: 'same', detail: CANARY }]);
  await db.updateTable('question').set({ evidence }).execute();
  const evil = JSON.stringify({ title: CANARY, description: CANARY, url: 'javascript:alert(1)', performers: [CANARY] });
  await sql`update record set listing = listing || ${evil}::jsonb where external_id in ('r1', 'r2', 'r3')`.execute(db);
}

const read = async (path: string, reader: Person = ann): Promise<string> => {
  const answer = await site.ask(path, { headers: { cookie: reader.cookie, accept: 'text/html' } });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
const send = (path: string, form: Record<string, string>, sender: Person | null = ann) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': 'same-origin', ...(sender && { cookie: sender.cookie }) },
  });
const acts = async (action: string) => (await listAudit(site.store.db, { action })).rows;
const source = async (name: string) => (await listSources({ store: site.store })).find((each) => each.name === name);
const pages = () => [
  '/desk',
  '/desk/sources',
  `/desk/sources/${radio.id}`,
  `/desk/sources/${held.id}`,
  `/desk/sources/${failing.id}`,
  `/desk/runs/${heldRun}`,
  '/desk/review',
  '/desk/audit',
];

describe('to anybody but an operator the desk', () => {
  test('does not exist, whatever is asked of it and whatever is sent', async () => {
    for (const reader of [developer, null]) {
      for (const path of pages()) {
        const headers = { accept: 'text/html', ...(reader && { cookie: reader.cookie }) };
        expect([path, (await site.ask(path, { headers })).status]).toEqual([path, 404]);
        for (const intent of ['run', 'pause', 'release', 'undo', 'same']) {
          const { status } = await send(path, { intent, token: `x-${intent}` }, reader);
          expect([path, intent, status]).toEqual([path, intent, 404]);
        }
      }
    }
    expect((await source('radio'))?.state).toBe('active');
    expect(await acts('source.')).toEqual([]);
  });
});

describe('a source', () => {
  test('is told in a word, those that need a person first, and no key is shown', async () => {
    const html = await read('/desk/sources');
    const order = ['Harbour Calendar', 'City Hall', 'old newsletter', 'radio'].map((name) => html.indexOf(`>${name}<`));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    for (const page of [html, await read(`/desk/sources/${failing.id}`), await read('/desk')]) {
      expect(page).not.toContain('sk_secret_value');
      expect(page).toContain('apikey=…');
    }
  });

  test('says on which clock it was read last', async () => {
    expect(await read(`/desk/sources/${radio.id}`)).toMatch(/Last complete read<\/dt><dd>.*?[AP]M UTC<.*?<dt>Last run</);
  });

  test('is paused and resumed, once for each form however often it is sent', async () => {
    const path = `/desk/sources/${radio.id}`;
    const copies = await Promise.all(Array.from({ length: 8 }, () => send(path, { intent: 'pause', token: 'pause-1' })));
    expect(new Set(copies.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(
      new Set([`302 ${path}?said=pause`]),
    );
    expect((await source('radio'))?.state).toBe('paused');
    expect(await read(`${path}?said=pause`)).toContain('The source is paused');
    await send(path, { intent: 'resume', token: 'resume-1' });
    expect((await source('radio'))?.state).toBe('active');
    const noted = (await acts('source.')).map(({ action, actor, subjectId }) => [action, actor, subjectId]);
    expect(noted).toEqual([
      ['source.resume', ann.email, radio.id],
      ['source.pause', ann.email, radio.id],
    ]);
    expect((await send(path, { intent: 'remove' })).status).toBe(400);
    expect((await send('/desk/sources/0190a0b0-0000-7000-8000-000000000000', { intent: 'pause' })).status).toBe(404);
  });

  test('is told nothing by a page of another site', async () => {
    const body = new URLSearchParams({ intent: 'pause', token: 'foreign' });
    for (const from of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': from, cookie: ann.cookie };
      expect((await site.ask(`/desk/sources/${radio.id}`, { method: 'POST', body, headers })).status).toBe(403);
    }
    expect((await source('radio'))?.state).toBe('active');
  });

  test('that is held stays so when it is paused and resumed; one that is not held is not released', async () => {
    const path = `/desk/sources/${held.id}`;
    await send(path, { intent: 'pause', token: 'pause-2' });
    expect((await source(held.name))?.state).toBe('paused');
    await send(path, { intent: 'resume', token: 'resume-2' });
    expect((await source(held.name))?.state).toBe('held');
    expect(await read(`${path}?said=resume`)).toContain('The source is no longer paused, but it is on hold.');
    const refused = await send(`/desk/sources/${radio.id}`, { intent: 'release', token: 'release-0' });
    expect(refused.headers.get('location')).toBe(`/desk/sources/${radio.id}?said=not_held`);
    expect(await read(`/desk/sources/${radio.id}?said=not_held`)).toContain(
      'The source is not on hold. There was nothing to release.',
    );
    expect(await source('radio')).toMatchObject({ isReleased: false, wantedAt: null });
    expect(await acts('source.release')).toEqual([]);
  });

  test('without an interval does not run by the clock when it is resumed', async () => {
    const newsletter = await source('old newsletter');
    expect(await read(`/desk/sources/${newsletter?.id}?said=resume`)).toContain('It runs manually');
  });

  test('that is held shows what would be written, is released and runs; the run is taken back', async () => {
    expect(await read(`/desk/sources/${held.id}`)).toContain(`/desk/runs/${heldRun}`);
    const shown = await read(`/desk/runs/${heldRun}`);
    const words = ['4 of its 6 upcoming events are missing', 'Would no longer be listed', 'Fir Ensemble', 'Hazel Ensemble'];
    for (const each of words) expect(shown).toContain(each);
    const released = await send(`/desk/runs/${heldRun}`, { intent: 'release', token: 'release-1' });
    expect(released.headers.get('location')).toBe(`/desk/sources/${held.id}?said=release`);
    expect(await read(`/desk/sources/${held.id}?said=release`)).toMatch(
      /A run (?:was requested|is in progress)|Released and run/,
    );
    const last = async () => (await readRunLines({ store: site.store, sourceId: held.id, limit: 1 }))[0];
    await eventually(async () => (await last())?.state === 'done');
    await eventually(async () => (await source(held.name))?.wantedAt === null);
    const run = await last();
    expect(run?.summary).toMatchObject({ created: 1, vanished: 4 });
    expect(await read(`/desk/sources/${held.id}?said=release`)).toContain('Released and run');

    expect(await read(`/desk/runs/${run?.id}?undo`)).toContain('Undo this run?');
    const undone = await send(`/desk/runs/${run?.id}`, { intent: 'undo', token: 'undo-1' });
    expect(undone.headers.get('location')).toMatch(/said=und(?:one|oing)$/);
    await eventually(async () => (await acts('run.undo')).length === 1);
    expect((await source(held.name))?.state).toBe('paused');
    expect(await read(`/desk/runs/${run?.id}?said=undone`)).toContain('The run is undone');
    // An answer that takes long is not waited for: the form says that it goes on.
    let tries = 1;
    await until(async () => {
      const again = await send(`/desk/runs/${run?.id}`, { intent: 'undo', token: `undo-${++tries}` });
      expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('was already undone')]);
    });
    expect(await acts('run.undo')).toHaveLength(1);
  });
});

describe('the audit log', () => {
  test('is found by person, action and thing, and turned page by page', async () => {
    expect(await read('/desk/audit?action=source.pause')).toContain('source.pause');
    expect(await read('/desk/audit?actor=nobody%40desk.example')).toContain('No entries');
    expect(await read(`/desk/audit?subject=source&id=${radio.id}`)).toContain('source.resume');
    const { db } = site.store;
    const at = new Date(site.now() - 86_400_000);
    const row = { at, actor_id: null, actor: 'command line', action: 'test.many', subject: 'thing', subject_id: CANARY };
    const rows = Array.from({ length: 60 }, (_, i) => ({
      ...row,
      id: crypto.randomUUID(),
      detail: { i, evil: CANARY },
    }));
    await db.insertInto('audit').values(rows).execute();
    const first = await read('/desk/audit?action=test.many');
    const older = /href="(\/desk\/audit\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&');
    const second = await read(older ?? '');
    expect([first, second].map((html) => html.match(/>test\.many</g)?.length)).toEqual([50, 10]);
    expect(second).not.toContain('>Older<');
  });
});

async function sit(person: Person, options: VisitOptions = {}) {
  const sitting = await visit(site.url, options);
  await sitting.context.addCookies(person.cookies);
  return sitting;
}
const progress = 'header .progress';

describeJourney('an operator with a keyboard', () => {
  test('works through the queue by keys alone, takes a word back, and may switch the keys off', async () => {
    const { page, complaints, close } = await sit(ann);
    await page.goto('/desk/review');
    await page.waitForSelector('text=Shortcuts are on');
    const says = async (text: string) => page.waitForSelector(`${progress}:text("${text}")`);
    await says('1 of 3');
    await page.keyboard.press('k');
    await says('2 of 3');
    await page.keyboard.press('s');
    await says('of 2');
    await page.waitForSelector('text=Saved: same');
    expect(await acts('review.same')).toHaveLength(1);
    await page.keyboard.press('u');
    await says('of 3');
    await page.waitForSelector('text=Undone');
    expect(await acts('review.undo')).toHaveLength(1);
    await page.getByLabel('Note').fill('sd?');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await page.locator(progress).textContent()).toMatch(/of 3$/);
    await page.locator('h1').click();
    await page.keyboard.press('d');
    await says('of 2');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Turn shortcuts off' }).click();
    await page.keyboard.press('s');
    await page.waitForSelector('text=Shortcuts are off');
    expect(await page.locator(progress).textContent()).toMatch(/of 2$/);
    const standing = await site.store.db.selectFrom('decision').selectAll().where('revoked_at', 'is', null).execute();
    expect(standing.map(({ verdict, decided_by, note }) => [verdict, decided_by, note])).toEqual([
      ['different', ann.email, 'sd?'],
    ]);
    expect(complaints()).toEqual([]);
    await close();
  });
});

describeInBrowser('an operator at a browser', () => {
  test('does the same without scripts, and hears when a colleague was quicker', async () => {
    const [first, second] = [await sit(ann, { scripts: false }), await sit(bob, { scripts: false })];
    await first.page.goto('/desk/review');
    await second.page.goto('/desk/review');
    const [, total] = /of (\d+)$/.exec((await first.page.locator(progress).textContent()) ?? '') ?? [];
    await first.page.getByRole('button', { name: /^Different/ }).click();
    expect(await first.page.locator(progress).textContent()).toContain(`of ${Number(total) - 1}`);
    await second.page.getByRole('button', { name: /^Same/ }).click();
    expect(await second.page.locator('main').textContent()).toContain('Somebody else answered first');
    expect(await second.page.locator('main').textContent()).toContain(`${ann.email} answered “different”`);
    await first.page.getByRole('button', { name: /^Undo/ }).click();
    expect(await first.page.locator(progress).textContent()).toContain(`of ${total}`);
    await first.close();
    await second.close();
  });

  test('sees a run end that was started from the page', async () => {
    const { page, close } = await sit(ann);
    await page.goto(`/desk/sources/${radio.id}`);
    const before = await page.locator('tbody tr').count();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.waitForSelector('text=The run has ended');
    // On a busy machine, the first attempt may have failed.
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(before);
    expect(await acts('source.run')).toHaveLength(1);
    await close();
  });

  test.each([320, 390, 1280])('reads every label of map and timeline whole, at %i pixels', async (width) => {
    const { page, close } = await sit(ann, { width });
    await page.goto('/desk/review');
    const labels = (await page.evaluate(LABELS)) as { text: string; isWhole: boolean; meets: string[]; height: number }[];
    expect(labels.length).toBeGreaterThan(3);
    expect(labels.filter(({ isWhole, meets }) => !isWhole || meets.length > 0)).toEqual([]);
    expect(Math.min(...labels.map(({ height }) => height))).toBeGreaterThan(9);
    await close();
  });

  test('reads the labels of the audit log whole on a phone, however long a note is', async () => {
    const row = { at: new Date(site.now()), actor_id: null, actor: 'command line', action: 'test.long', subject: 'subscription' };
    const detail = { subscription: crypto.randomUUID(), note: 'A long word about it. '.repeat(20), correction: 'x'.repeat(300) };
    await site.store.db
      .insertInto('audit')
      .values({ ...row, id: crypto.randomUUID(), subject_id: crypto.randomUUID(), detail })
      .execute();
    const { page, close } = await sit(ann, { width: 360 });
    await page.goto('/desk/audit?action=test.long');
    const lines = (await page.evaluate(
      `[...document.querySelectorAll('.audit-detail dt bdi')].map((label) => [label.textContent, label.getClientRects().length])`,
    )) as [string, number][];
    expect(lines).toHaveLength(1 + Object.keys(detail).length);
    expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    await close();
  });

  test('meets no barrier, no complaint and no foreign script where others have written the words', async () => {
    const { page, complaints, close } = await sit(ann, { width: 390, dark: true });
    const evil = (await readRunLines({ store: site.store })).find((run) => run.source?.name === NAME);
    await plant(evil?.id ?? '');
    const [own, more] = [`/desk/sources/${evil?.source?.id}`, `/desk/runs/${evil?.id}`];
    for (const path of [own, `${more}?undo`, `/desk/runs/${heldRun}`, '/desk/review', '/desk/audit?action=test.many']) {
      await page.goto(path);
      expect([path, await findBarriers(page)]).toEqual([path, []]);
      expect([path, await sticksOut(page)]).toEqual([path, false]);
      expect([path, await page.title()]).toEqual([path, expect.stringMatching(/ · Marquee$/)]);
      expect([path, await page.locator('main img, main script').count()]).toEqual([path, 0]);
      if (path !== `/desk/runs/${heldRun}`) expect(await page.locator('main').textContent()).toContain(CANARY);
    }
    expect(complaints()).toEqual([]);
    await close();
  });
});

/** Of both drawings: whether each label lies inside, and which other labels of its drawing lie on it. */
const LABELS = `[...document.querySelectorAll('.timeline, .place-map')].flatMap((drawing) => {
  const edge = drawing.getBoundingClientRect();
  const texts = [...drawing.querySelectorAll('.tick text, .area-name')].filter((each) => each.textContent);
  const boxes = texts.map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }));
  return boxes.map(({ text, box }, i) => ({
    text,
    height: box.height,
    isWhole: box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom,
    meets: boxes.filter((other, j) => j !== i && other.box.left < box.right && box.left < other.box.right
      && other.box.top < box.bottom && box.top < other.box.bottom).map((other) => other.text),
  }));
})`;
