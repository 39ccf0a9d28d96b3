import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BRIEF_NODE } from './test/support/processes/brief-node.ts';
import { filesLeftOut } from './test/support/runs/engine-files.ts';
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/runs/patience.ts';
import { SlowFirst } from './test/support/runs/slow-first.ts';
import { filesOfOtherTier, tierOf } from './test/support/runs/tier.ts';

const { MARQUEE_TEST_ENGINE: engine, MARQUEE_TEST_DATABASE_URL: server, MARQUEE_TEST_TURN: turn } = process.env;

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...filesOfOtherTier(tierOf(mode)),
      // A second engine is asked only where it can answer otherwise.
      ...filesLeftOut({ engine, hasServer: server !== undefined, turn: turn ? Number(turn) : undefined }),
    ],
    reporters: ['default', './test/support/runs/slowest-files.ts'],
    globalSetup: ['test/support/runs/global-setup.ts'],
    // Processes, because tests start worker threads and kill what they own.
    pool: 'forks',
    // Twice the cores of a small machine: half of their time tests wait, for processes, browsers and clocks.
    maxWorkers: 4,
    execArgv: [...BRIEF_NODE],
    // One process takes many files, so that what they share is loaded once: a file leaves nothing behind that another could meet.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Node runs the files as it does in service; a build of them would prove something else and take longer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // What is compiled once is there for the processes and threads that tests start.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/marquee/compiled', import.meta.url)),
      // As in service: React has a half for its developers, which takes three times as long.
      NODE_ENV: 'production',
      MARQUEE_TEST_TIER: tierOf(mode),
    },
    // A condition that is waited for may come late on a busy machine: how late is a matter of `npm run bench`.
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    teardownTimeout: TEST_LIMIT_MS,
  },
}));
