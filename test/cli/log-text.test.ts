import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('a log record', () => {
  test('is one line of JSON without controls, whatever the text', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('\n', '\r', '\u001b', '\u0000', '\u007f', '"', '\\', 'a', '\u2028', '😀'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const line = logged((log) => log.warn({ err: new Error(text), name: text }, text));
        expect(line.match(/\n/g)).toHaveLength(1);
        for (const control of ['\r', '\u001b', '\u0000']) expect(line).not.toContain(control);
        expect(JSON.parse(line)).toMatchObject({ name: text, msg: text, err: { message: text } });
      }),
    );
  });

  test('of a megabyte is cut, and stays one line of JSON', () => {
    const text = 'x\n'.repeat(500_000);
    const line = logged((log) => log.error({ err: new Error(text), requestId: 'r1' }, text));
    expect(line.length).toBeLessThan(20_000);
    expect(line.match(/\n/g)).toHaveLength(1);
    const record = JSON.parse(line);
    expect(record).toMatchObject({ level: 50, requestId: 'r1', msg: expect.stringContaining('(cut)') });
    const many = logged((log) => log.info({ list: Array.from({ length: 100_000 }, () => 'short') }, 'many'));
    expect(JSON.parse(many)).toMatchObject({ level: 30, msg: 'many' });
    expect(many.length).toBeLessThan(20_000);
  });
});
