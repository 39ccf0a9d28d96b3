// Commands against a service of their own. One engine is enough: the commands are tested on both.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fences } from '../house/source-tree.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { townExtract } from '../support/records/extract.ts';
import { ask, environmentOf, type RunningService, startService } from '../support/rigs/service.ts';

const run = promisify(execFile);
const { folder, remove } = temporaryFolder();
const servers: ReturnType<typeof createServer>[] = [];
let service: RunningService | undefined;
let env: NodeJS.ProcessEnv;
/** What stands in the page, and what it is on this machine. */
let places: [named: string, here: string][];

beforeAll(async () => {
  const [hall, library, mill] = [await serveSite(HALL), await serveSite(LIBRARY), await serveSite({})];
  places = [
    ['https://library.example', `http://${library}`],
    ['library.example', library],
  ];
  writeFileSync(join(folder, 'larkholt.json'), JSON.stringify(townExtract([hall, library, mill])));
  writeFileSync(
    join(folder, 'register.csv'),
    'number,street,lat,lon\n12,Mill Lane,52.423,-1.283\n14,Mill Lane,52.4231,-1.2832\n',
  );
  env = environmentOf({
    MARQUEE_NOW: '2026-06-16T20:00:00Z',
    MARQUEE_ALLOWED_HOSTS: [hall, library, mill].join(','),
    PROGRAM: new URL('../../bin/marquee.mjs', import.meta.url).pathname,
    NODE: process.execPath,
  });
});
afterAll(async () => {
  await service?.stop();
  for (const server of servers) server.close();
  remove();
});

it('leads from an empty folder to a directory, with the commands and the answers of its page', async () => {
  const blocks = fences('docs/first-city.md').filter(({ language, text }) => language === 'sh' || !text.startsWith('[out:'));
  // The extract is another way to begin: it has a folder of its own, and the page goes on with it.
  let dataDir = './without-extract';
  let answer = '';
  for (const { language, text, line } of blocks) {
    if (language !== 'sh') {
      for (const shown of text.trim().split('\n')) expect(answer, `docs/first-city.md:${line}`).toContain(shown);
      continue;
    }
    if (text.includes('--extract')) dataDir = './larkholt';
    answer = await runBlock(text.replace('./larkholt', dataDir), dataDir);
  }
  const key = answer.trim().split('\n').at(-1) ?? '';
  const { body } = await ask(service ?? expect.fail('nothing was started'), '/events?limit=100&include=locationPrecision', key);
  const found = body.data.map(({ title, venue }: { title: string; venue: { name: string; address: string } }) => [
    title,
    venue.name,
  ]);
  expect(found.sort()).toEqual([
    ['Chess Club', 'Weirside Library'],
    ['Forge Evening', 'The Old Forge'],
    ['Reading Group', 'Weirside Library'],
    ['Story Hour', 'Weirside Library'],
    ['Walk on the Hill', 'The Usual Route'],
    ['Writers of the Weir', 'Weirside Library'],
  ]);
  const page = await fetch(`${service?.url}/events`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('© OpenStreetMap contributors (ODbL)')]);
});

/** All lines of a block in one shell; `npm start` starts the service and leaves it running. Gives standard output. */
async function runBlock(text: string, dataDir: string): Promise<string> {
  if (/^npm start$/m.test(text)) {
    service = await startService(['start'], { ...(env as Record<string, string>), MARQUEE_DATA_DIR: join(folder, dataDir) });
  }
  const commands = places.reduce((commands, [named, here]) => commands.replaceAll(named, here), text);
  const script = `set -e\nnpm() { if [ "$1" != start ]; then shift 3; "$NODE" "$PROGRAM" "$@"; fi; }\n${commands}`;
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: { ...env, MARQUEE_DATA_DIR: dataDir } });
  return stdout;
}

async function serveSite(pages: Readonly<Record<string, [type: string, body: string]>>): Promise<string> {
  const server = createServer((request, response) => {
    const [type, body] = pages[request.url ?? ''] ?? [];
    response.writeHead(type === undefined ? 404 : 200, { 'Content-Type': type ?? 'text/plain' }).end(body ?? 'nothing is here');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const listing = (uid: number, title: string, place: string): string =>
  `BEGIN:VEVENT\r\nUID:${uid}@library.example\r\nDTSTAMP:20260601T000000Z\r\nDTSTART:202607${10 + uid}T180000Z\r\nSUMMARY:${title}\r\nLOCATION:${place}\r\nEND:VEVENT\r\n`;
const CALENDAR = [
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Larkholt//Library//EN\r\nX-WR-CALNAME:Larkholt Library\r\n',
  listing(1, 'Story Hour', 'Weirside Library'),
  listing(2, 'Reading Group', 'Weirside Library'),
  listing(3, 'Chess Club', 'Community Room'),
  listing(4, 'Writers of the Weir', 'Community Room'),
  listing(5, 'Forge Evening', 'The Old Forge'),
  listing(6, 'Walk on the Hill', 'The Usual Route'),
  'END:VCALENDAR\r\n',
].join('');
const LIBRARY = {
  '/': ['text/html', '<!doctype html><title>Weirside Library</title><a href="/events.ics">Subscribe to our calendar</a>'],
  '/events.ics': ['text/calendar', CALENDAR],
} satisfies Record<string, [string, string]>;
const HALL = {
  '/': [
    'text/html',
    `<!doctype html><title>Larkholt Town Hall</title><script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Market Day',
      startDate: '2026-07-20T10:00:00+01:00',
      location: { '@type': 'Place', name: 'Larkholt Town Hall', address: '1 Bell Lane, Larkholt' },
    })}</script>`,
  ],
} satisfies Record<string, [string, string]>;
