import type { ActionFunctionArgs } from 'react-router';
import { formHead } from '../../../http/index.ts';
import { readForm, refusal } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { callerOf, cookieHeaders } from '../../server/sign-in.ts';

/** What the browser asks a device for; the answer to it comes back as a form. */
export async function action(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const { signIn } = page.context.get(rooms);
  const answer =
    field('for') === 'add' ? await signIn.startPasskey(callerOf(page)) : await signIn.startPasskeySignIn(callerOf(page));
  if (!answer.ok) return Response.json({ detail: answer.detail }, formHead(answer));
  return Response.json({ options: answer.options }, { headers: cookieHeaders(answer.setCookies) });
}

export function loader() {
  throw refusal(404, 'This address accepts form posts only.');
}
