import { expect, it } from 'vitest';
import { JOBS } from '../../src/server/jobs.ts';
import { tableRows } from './source-tree.ts';

it('docs/operations.md has the jobs as the code has them, and no other', () => {
  expect(tableRows('docs/operations.md', 'job')).toEqual(JOBS.map(({ name, every, does }) => [name, period(every), does]));
});

const period = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
