/** The e-mail about an outcome in the words of the pages, so that a further language of the pages is one of these e-mails too. */

import type { WordOutcome } from '../../../reports/index.ts';
import { languageOf } from '../languages.ts';

export const wordOutcome: WordOutcome = (language, answer, note) => {
  const { text } = languageOf(language);
  return {
    language: text('language.locale'),
    subject: text(`outcome.subject.${answer}`),
    before: [text(`outcome.what.${answer}`), ...(note === null ? [] : [text('outcome.note', { note })])],
    label: text('outcome.view'),
    openAddress: text('outcome.openAddress'),
    after: [text('outcome.privacy')],
  };
};
