import { type ActionFunctionArgs, redirect } from 'react-router';
import { isTheme, themeCookie } from '../model/theme.ts';
import { readFormData } from '../server/forms.ts';
import { localPath } from '../server/local-path.ts';

/** Light or dark, from the button of every page; back to where it was pressed. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readFormData(request);
  const theme = form.get('theme');
  const back = localPath(String(form.get('next') ?? ''), '/');
  return redirect(back, isTheme(theme) ? { headers: { 'Set-Cookie': themeCookie(theme) } } : {});
}

export const loader = () => redirect('/');
