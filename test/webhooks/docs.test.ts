import { expect, it } from 'vitest';
import { RETRY_AFTER_MS } from '../../src/webhooks/delivery/schedule.ts';
import { EVENT_TYPES } from '../../src/webhooks/index.ts';
import { read, tableRows } from '../house/source-tree.ts';

it('docs/webhooks.md has the event types as the code has them, and no other', () => {
  expect(tableRows('docs/webhooks.md', 'type')).toEqual(EVENT_TYPES.map(({ name, says }) => [`\`${name}\``, says]));
});

it('docs/webhooks.md has the schedule of the code', () => {
  const words = RETRY_AFTER_MS.map((ms) =>
    ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`,
  );
  const [last, ...before] = words.toReversed();
  expect(read('docs/webhooks.md')).toContain(`after ${before.toReversed().join(', ')} and ${last},`);
});
