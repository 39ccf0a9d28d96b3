/** A service prints what is documented, and else one JSON object a line, whoever prints it. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { startService } from '../support/rigs/service.ts';
import { addFeed, listing } from '../support/rigs/sources.ts';

/** As a library in any thread or process might, and as Node itself does. */
const TALKATIVE = `
  import { isMainThread, threadId } from 'node:worker_threads';
  const at = !isMainThread ? 'thread ' + threadId : process.send ? 'child' : 'main';
  const talk = () => {
    console.log('library talks in ' + at);
    console.error('\\x1b[31mlibrary fails in ' + at + '\\x1b[0m', new Error('odd'));
    process.emitWarning('library warns in ' + at);
    process.stderr.write('half a line of ' + at + ', ');
    process.stderr.write('and its end of ' + at + '\\n');
  };
  // A process of a run may end before it would talk for the second time.
  if (at === 'child') talk();
  setInterval(talk, 300).unref();
  if (at === 'main') process.once('SIGUSR2', () => { throw new Error('nobody expected this'); });
`;
const DOCUMENTED =
  /^$|^listening on http|^ {2}(pages|base URL|reference|starter|growth|enterprise) +\S+$|^ {2}desk +http|^ +(npm run|npx) marquee |^ {2}curl /;

test('every line is documented or one JSON object, also what libraries, threads, runs of sources and Node print and its last word', async () => {
  const { folder, remove } = await copyDemoFolder();
  const module = join(folder, 'talkative.mjs');
  writeFileSync(module, TALKATIVE);
  // Read in a process of its own as soon as the service works.
  const store = await openStore({ dataDir: folder });
  const feed = await addFeed(store, folder, 'feed', { everySeconds: 3600 });
  feed.write([listing('1')]);
  await store.close();
  const service = await startService(['start'], {
    MARQUEE_DATA_DIR: folder,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=${module}`,
  });
  onTestFinished(() => void service.process.kill('SIGKILL'));
  await fetch(`${service.url}/sign-in`);
  // From the page's thread, which is the last to begin.
  const threads = () => new Set(service.printed().match(/library talks in thread \d+/g)).size;
  await expect.poll(threads).toBeGreaterThan(2);
  await expect.poll(service.printed).toContain('and its end of child');
  const closed = once(service.process, 'close');
  service.process.kill('SIGUSR2');
  const [code] = await closed;
  const lines = service.printed().split('\n');
  const records = lines.flatMap((line) => {
    if (DOCUMENTED.test(line)) return [];
    expect(line).toMatch(/^\{.*\}$/);
    return [JSON.parse(line)];
  });
  expect(code).toBe(1);
  for (const text of [
    'library talks in main',
    'library fails in main Error: odd',
    'Warning: library warns in main',
    'half a line of main, and its end of main',
    'library fails in child Error: odd',
    'half a line of child, and its end of child',
    'library talks in thread',
    'Warning: library warns in thread',
    'unexpected error; the service ends',
  ]) {
    expect(records.map(({ msg }) => msg)).toContainEqual(expect.stringContaining(text));
  }
  remove();
});
