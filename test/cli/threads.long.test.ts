// One engine is enough: an option of an earlier version has no effect.
import { expect, it, onTestFinished } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { ask, keysIn, marquee, marqueeHere, startService } from '../support/rigs/service.ts';

const WARNING =
  '--threads has no effect any more; to use more cores, run several serve --role api processes with REDIS_URL behind a load balancer (docs/scale.md)';

it.each([
  ['api', '4'],
  ['api', '1'],
  ['worker', 'auto'],
])('serve --role %s --threads %s starts, and warns once in one sentence', async (role, threads) => {
  const { folder, remove } = await copyDemoFolder();
  onTestFinished(remove);
  const service = await startService(['serve', '--role', role, '--threads', threads], { MARQUEE_DATA_DIR: folder });
  onTestFinished(() => void service.process.kill('SIGKILL'));
  const warnings = service
    .printed()
    .split('\n')
    .filter((line) => line.includes('--threads'));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, threads, msg: WARNING }]);
  if (role === 'api') expect((await ask(service, '/events?limit=1', keysIn(folder).growth)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

it.each(['0', '-1', '1.5', '65', 'many', ''])('serve --threads refuses %j, as before', async (threads) => {
  const { status, stderr } = await marqueeHere(['serve', `--threads=${threads}`], {});
  expect(stderr).toBe(`--threads must be a whole number from 1 to 64, or auto, but is "${threads}"\n`);
  expect(status).toBe(1);
});

it('serve --help no longer lists --threads', async () => {
  const { stdout } = await marquee(['serve', '--help'], {});
  expect(stdout).toContain('--role');
  expect(stdout).not.toContain('--threads');
});
