import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BRIEF_NODE } from './test/support/processes/brief-node.ts';
import { filesLeftOut } from './test/support/runs/engine-files.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/runs/patience.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A second engine is asked only where it can answer otherwise.
    exclude: filesLeftOut(process.env.MARQUEE_TEST_ENGINE, process.env.MARQUEE_TEST_DATABASE_URL !== undefined),
    reporters: ['default', './test/support/runs/slowest-files.ts'],
    globalSetup: ['test/support/runs/global-setup.ts'],
    // Processes, because tests start worker threads and kill what they own.
    pool: 'forks',
    // Twice the cores of a small machine: half of their time tests wait, for processes, browsers and clocks.
    maxWorkers: 4,
    execArgv: [...BRIEF_NODE],
    // One process takes many files, so that what they share is loaded once: a file leaves nothing behind that another could meet.
    isolate: false,
    // Node runs the files as it does in service; a build of them would prove something else and take longer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // What is compiled once is there for the processes and threads that tests start.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/marquee/compiled', import.meta.url)),
      // As in service: React has a half for its developers, which takes three times as long.
      NODE_ENV: 'production',
    },
    // A condition that is waited for may come late on a busy machine: how late is a matter of `npm run bench`.
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    teardownTimeout: TEST_LIMIT_MS,
  },
});
