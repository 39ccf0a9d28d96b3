/** The order of test files: those that take long begin first, so that no worker sits alone with one at the end. */

import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A browser waits more than it works; a long file is long by name. */
const SLOW = /^describe(?:InBrowser|Journey)\(/m;
const LONG_FILE = /\.long\.test\.ts$/;
/** Visits every page. */
const CRAWL = /\/every-page\.test\.ts$/;

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted
      .map((file) => ({ file, rank: rankOf(file.moduleId) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ file }) => file);
  }
}

function rankOf(path: string): number {
  if (CRAWL.test(path)) return 0;
  return LONG_FILE.test(path) || SLOW.test(readFileSync(path, 'utf8')) ? 1 : 2;
}
