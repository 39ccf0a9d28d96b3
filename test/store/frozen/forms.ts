/** Forms of the pages, sent as a browser without scripts would. */

import { type Answer, type Ask, headerOf } from '../../proof/client.ts';

export type Fields = Readonly<Record<string, string>>;
/** Sends one form. */
export type Send = (path: string, fields: Fields) => Promise<Answer>;

/** `cookie`: that of a session; empty without one. */
export const createForms =
  (ask: Ask, cookie = ''): Send =>
  (path, fields) =>
    ask({ method: 'POST', path, headers: { ...FORM, cookie }, body: new URLSearchParams(fields).toString() });

/** Forms of somebody who has signed in. Throws if the password is refused. */
export async function signIn(ask: Ask, email: string, password: string): Promise<Send> {
  const answer = await createForms(ask)('/sign-in', { email, password });
  const pairs = answer.headers.flatMap(([name, value]) => (name === 'set-cookie' ? [value.split(';', 1)[0] ?? ''] : []));
  if (pairs.length === 0) throw new Error(`${email} cannot sign in: ${answer.status} ${headerOf(answer, 'location')}`);
  return createForms(ask, pairs.join('; '));
}

const FORM = {
  accept: 'text/html',
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
};
