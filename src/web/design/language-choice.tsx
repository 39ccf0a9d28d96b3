import { Form, useLocation } from 'react-router';
import { addressInLanguage } from '../model/language/choose-language.ts';
import { useLanguage } from './use-language.ts';
import { useRoot } from './use-root.ts';

/** A button for each language: a form with and without scripts, because a page has one language from its first byte. */
export function LanguageChoice() {
  const { code: current, text } = useLanguage();
  const { pathname, search } = useLocation();
  const languages = useRoot()?.languages ?? [];
  return (
    <Form method="post" action="/language" className="languages" reloadDocument>
      <span className="visually-hidden">{text('site.language')}</span>
      <input type="hidden" name="next" value={addressInLanguage(pathname.replace(NOWHERE, '') + search, null)} />
      {languages.map(({ code, name }) => (
        <button key={code} type="submit" name="language" value={code} lang={code} aria-pressed={code === current}>
          {name}
        </button>
      ))}
    </Form>
  );
}

/** Where the page of a refusal is rendered (`server/serving/answer-page.ts`): the reader was elsewhere. */
const NOWHERE = /^\/~(?=\/)/;
