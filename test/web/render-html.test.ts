/** Pages of a crowd, on one thread with everything else. */

import { createElement } from 'react';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/web/server/serving/render-html.ts';

const render = (text: string, signal = new AbortController().signal) =>
  renderHtml(createElement('p', null, text), { nonce: 'n', signal, onError: () => undefined });

test('are made in turns, and others have their turn in between', async () => {
  let turns = 0;
  let isMade = false;
  const takeTurns = () => {
    turns += 1;
    if (!isMade) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  const pages = await Promise.all(Array.from({ length: 50 }, (_, n) => render(`page ${n}`)));
  isMade = true;
  expect(pages.map(String)).toEqual(Array.from({ length: 50 }, (_, n) => `<p>page ${n}</p>`));
  expect(turns).toBeGreaterThanOrEqual(25);
});

test('whose reader has gone hold up nobody', async () => {
  const gone = AbortSignal.abort(new Error('gone'));
  const left = await Promise.allSettled(Array.from({ length: 5 }, () => render('nobody reads this', gone)));
  expect(left).toHaveLength(5);
  expect(String(await render('page'))).toBe('<p>page</p>');
});
