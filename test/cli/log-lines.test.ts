/** A service prints what is documented, and else one JSON object a line, whoever prints it. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyDemoFolder } from '../support/demo-folder.ts';
import { startService } from '../support/service.ts';

/** As a library in any thread or process might, and as Node itself does. */
const TALKATIVE = `
  import { isMainThread, threadId } from 'node:worker_threads';
  setInterval(() => {
    const at = isMainThread ? 'main' : 'thread ' + threadId;
    console.log('library talks in ' + at);
    console.error('\\x1b[31mlibrary fails in ' + at + '\\x1b[0m', new Error('odd'));
    process.emitWarning('library warns in ' + at);
    process.stderr.write('half a line of ' + at + ', ');
    process.stderr.write('and its end\\n');
  }, 300).unref();
  if (isMainThread) process.once('SIGUSR2', () => { throw new Error('nobody expected this'); });
`;
const DOCUMENTED =
  /^$|^listening on http|^ {2}(pages|base URL|reference|starter|growth|enterprise) +\S+$|^ {2}desk +http|^ +npm run marquee |^ {2}curl /;

test('every line is documented or one JSON object, also what libraries, threads and Node print and its last word', async () => {
  const { folder, remove } = await copyDemoFolder();
  const module = join(folder, 'talkative.mjs');
  writeFileSync(module, TALKATIVE);
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
    'half a line of main, and its end',
    'library talks in thread',
    'Warning: library warns in thread',
    'the service ends: an error that nobody expected',
  ]) {
    expect(records.map(({ msg }) => msg)).toContainEqual(expect.stringContaining(text));
  }
  remove();
});
