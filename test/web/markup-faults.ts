/** What html-validate finds in a page, by the standard and by what the standard leaves to good sense. */

import { HtmlValidate, type Message } from 'html-validate';

/** References that lead somewhere, names that say something. */
const RULES = [
  'no-missing-references',
  'empty-heading',
  'empty-title',
  'unique-landmark',
  'input-missing-label',
  'hidden-focusable',
];
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: Object.fromEntries(RULES.map((rule) => [rule, 'error'])),
});

/** Each fault with its place in the page; empty when nothing is wrong. */
export async function findMarkupFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages).map((message) => describeFault(message, html));
}

function describeFault({ ruleId, message, offset }: Message, html: string): string {
  return `${ruleId}: ${message} … ${html.slice(Math.max(0, offset - 40), offset + 120)}`;
}
