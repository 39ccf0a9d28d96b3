/** Ends a run of many files with the ten that took longest, so that nobody has to look for them. */

import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const slowest = modules
      .map((module) => ({ file: relative(process.cwd(), module.moduleId), seconds: secondsOf(module) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN);
    const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`);
    process.stdout.write(`\nThe ${SHOWN} slowest files:\n${lines.join('\n')}\n`);
  }
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1_000;
}

const SHOWN = 10;
