import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { createOpenApi } from '../../src/api/index.ts';
import { RETRY_AFTER_MS } from '../../src/webhooks/delivery/outcomes.ts';
import { EVENT_TYPES, webhookSchemas } from '../../src/webhooks/index.ts';
import { composeData, payloadOf } from '../../src/webhooks/messages.ts';
import { sampleData } from '../../src/webhooks/sample-data.ts';
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

it('a test message of every type is as its schema says', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const publicUrl = 'https://marquee.example';
  ajv.addSchema(createOpenApi(publicUrl), `${publicUrl}/openapi.json`).addSchema(webhookSchemas(publicUrl));
  const at = Date.parse('2026-06-16T12:00:00Z');
  const wrong = EVENT_TYPES.flatMap(({ name }) => {
    const message = JSON.parse(payloadOf(composeData(name, sampleData(name, at), at), 'full'));
    const isValid = ajv.validate(`${publicUrl}/docs/webhooks.json#/$defs/${name}`, message);
    return isValid ? [] : [`${name}: ${ajv.errorsText()}`];
  });
  expect(wrong).toEqual([]);
});
