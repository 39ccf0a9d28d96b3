import { expect, it } from 'vitest';
import { showProgress } from '../../src/commands/print-run.ts';
import type { Context } from '../../src/context.ts';

it('leaves a terminal as it was, at whatever moment the command is ended', () => {
  let written = '';
  const terminal = {
    isTTY: true,
    columns: 80,
    write(text: string) {
      written += text;
      return true;
    },
  } as NodeJS.WriteStream;
  const progress = showProgress({ watched: true } as Context, 'import', terminal);
  progress.update(0.5, 7);
  // Nobody calls `end` when a signal ends the process: so no mode of the terminal is changed (DEC private modes, `ESC [ ? … l`).
  expect(written).toContain('import ');
  expect(written).not.toContain('\x1b[?');
  progress.end();
  expect(written).toContain('50% 7 lines');
  expect(written).not.toContain('\x1b[?');
});
