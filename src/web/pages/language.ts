import { type ActionFunctionArgs, redirect } from 'react-router';
import { languageCookie } from '../model/choose-language.ts';
import { readFormData } from '../server/forms.ts';
import { LANGUAGE_CODES } from '../server/languages.ts';
import { localPath } from '../server/local-path.ts';

/** The language of the pages, from the switch of every page; back to where it was used. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readFormData(request);
  const code = LANGUAGE_CODES.find((each) => each === form.get('language'));
  const back = localPath(String(form.get('next') ?? ''), '/');
  return redirect(back, code === undefined ? {} : { headers: { 'Set-Cookie': languageCookie(code, true) } });
}

export const loader = () => redirect('/');
