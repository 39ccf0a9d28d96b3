import { type ActionFunctionArgs, redirect } from 'react-router';
import { rooms } from '../../server/rooms.ts';
import { callerOf, redirectWith } from '../../server/sign-in.ts';

export async function action(page: ActionFunctionArgs) {
  const { setCookies } = await page.context.get(rooms).signIn.signOut(callerOf(page));
  return redirectWith(setCookies, '/sign-in?done=out');
}

/** Nothing is changed by following a link. */
export const loader = () => redirect('/dashboard/account');
