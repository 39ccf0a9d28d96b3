/** What the proof compares: one answer, page, file or text of a command. */

import type { Answer, Question } from './client.ts';
import { headerOf } from './client.ts';
import { filterHeaders } from './filter.ts';
import type { Place } from './place.ts';

export interface Item {
  /** Says which question it answers; no two items have the same. */
  name: string;
  /** HTTP status, or the exit code of a command. */
  status: number;
  text: string;
  /** In place of the text: bytes that are no text, compared as they are. */
  bytes?: Buffer;
}

/** Asks and makes an item of the answer: its status, its headers and its body. */
export async function askItem(
  { ask }: Pick<Place, 'ask'>,
  question: Question,
  name = `${question.method ?? 'GET'} ${question.path}`,
): Promise<Item & { answer: Answer }> {
  const answer = await ask(question);
  const { status, headers, body } = answer;
  const head = `${status}\n${filterHeaders(headers).join('\n')}\n\n`;
  const type = headerOf(answer, 'content-type');
  return { name, status, text: head + (isText(type) ? body.toString() : `${body.length > 0 ? `[${type}]` : ''}\n`), answer };
}

/**
 * Pictures are left out: they depend on the build of the library that draws them. Scripts and styles are, too: they are made of all files
 * of the pages, and no reader sees their text.
 */
const isText = (type: string): boolean => /^text\/(?!javascript|css)|json|xml|yaml|calendar|svg/.test(type);
