import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson } from '../../src/web/design/format-json.ts';

test('JSON for readers is the same JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(100), (value, width) => {
      expect(JSON.parse(formatJson(value, width))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('what fits stands on one line', () => {
  const event = { title: 'Salt Wife', venue: { name: 'Fishhall Annex', tags: ['live', 'late'], none: {} } };
  expect(formatJson({ data: [event] }, 60)).toBe(
    [
      '{',
      '  "data": [',
      '    {',
      '      "title": "Salt Wife",',
      '      "venue": {',
      '        "name": "Fishhall Annex",',
      '        "tags": ["live", "late"],',
      '        "none": {}',
      '      }',
      '    }',
      '  ]',
      '}',
    ].join('\n'),
  );
  expect(formatJson(event, 200)).toBe(
    '{ "title": "Salt Wife", "venue": { "name": "Fishhall Annex", "tags": ["live", "late"], "none": {} } }',
  );
});
