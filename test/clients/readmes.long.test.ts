/** One engine is enough: the examples see the API alone. */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { type DemoService, marquee, startDemoService } from '../support/rigs/service.ts';
import { describeInBrowser, visit } from '../support/runs/browser.ts';
import { PYTHON_SOURCES } from './ask-client.ts';

const run = promisify(execFile);
const { folder, remove } = temporaryFolder();
const built = join(folder, 'node_modules/@marquee/client/dist');
let service: DemoService;
let key = '';

beforeAll(async () => {
  service = await startDemoService();
  const words = ['key', 'create', '--account', 'demo@marquee.example', '--tier', 'enterprise', '--test'];
  key = (await marquee(words, service.settings)).stdout.trim();
  mkdirSync(built, { recursive: true });
  cpSync('clients/typescript/package.json', join(built, '../package.json'));
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript', '--outDir', built]);
});
afterAll(async () => {
  await service?.stop();
  remove();
});

function examplesOf(file: string, language: string): { title: string; code: string }[] {
  const found: { title: string; code: string }[] = [];
  let title = 'at the top';
  for (const [, heading, fence, code = ''] of readFileSync(file, 'utf8').matchAll(HEADINGS_AND_FENCES)) {
    title = heading ?? title;
    if (fence === language) found.push({ title, code });
  }
  return found;
}
const HEADINGS_AND_FENCES = /^## (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm;
const here = (code: string) => code.replaceAll('http://127.0.0.1:3000', service.url);
const env = () => ({
  ...process.env,
  NODE_OPTIONS: '',
  MARQUEE_KEY: key,
  PYTHONPATH: PYTHON_SOURCES,
  PYTHONDONTWRITEBYTECODE: '1',
});

describe('the examples of the clients', () => {
  const typescript = examplesOf('clients/typescript/README.md', 'ts');
  const python = examplesOf('clients/python/README.md', 'python');

  it('are as many in both languages', () => {
    expect(typescript.length).toBe(5);
    expect(python.map(({ title }) => title)).toEqual(typescript.map(({ title }) => title));
  });

  it.each(typescript)('TypeScript, $title: runs with the built package', async ({ title, code }) => {
    const file = join(folder, `${title.replace(/\W+/g, '-')}.mts`);
    writeFileSync(file, here(code));
    const { stdout, stderr } = await run(process.execPath, [file], { env: env() });
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  });

  it.each(python)('Python, $title: runs', async ({ code }) => {
    const { stdout, stderr } = await run('python3', ['-c', here(code)], { env: env() });
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  });

  it('of TypeScript are sound to the compiler, which refuses a misspelled filter', async () => {
    const check = async (code: string) => {
      writeFileSync(join(folder, 'checked.mts'), code);
      const options = [
        '--noEmit',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--skipLibCheck',
        '--ignoreConfig',
        '--module',
        'nodenext',
      ];
      const libs = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', '', join(folder, 'checked.mts')];
      return run(process.execPath, ['node_modules/typescript/bin/tsc', ...options, ...libs]).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      );
    };
    for (const { code } of typescript) expect(await check(`declare const process: any;\n${code}`)).toBe('');
    const [first] = typescript;
    expect(await check(`declare const process: any;\n${first?.code.replace('when:', 'wen:')}`)).toContain("'wen'");
    expect(await check(`declare const process: any;\n${first?.code.replace("'concert'", "'concerts'")}`)).toContain('"concerts"');
  });
});

describeInBrowser('the client for TypeScript in a browser', () => {
  it('reads the API from a page of another site', async () => {
    const files = createServer((req, res) => {
      const name = (req.url ?? '').slice(1);
      if (!/^[a-z]+\.js$/.test(name))
        res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
      else res.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(built, name)));
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    const { page, close } = await visit(origin);
    try {
      await page.goto(origin);
      const found = await page.evaluate(inPage(service.url, key));
      expect(found).toEqual({ count: 2, isSame: true, code: 'invalid_parameter' });
    } finally {
      await close();
      files.close();
    }
  });
});

/** As text: what the test runner makes of an import means nothing to a browser. */
const inPage = (baseUrl: string, apiKey: string): string => `(async () => {
  const { createMarquee } = await import('/index.js');
  const client = createMarquee(${JSON.stringify({ baseUrl, apiKey })});
  const { data } = await client.listEvents({ limit: 2 });
  const again = await client.listEvents({ limit: 2 });
  const code = await client.getEvent('x').catch((error) => error.code);
  return { count: data.length, isSame: JSON.stringify(again.data) === JSON.stringify(data), code };
})()`;
