/** Who reads a page, and who may. */

import { data, type RouterContextProvider, redirect } from 'react-router';
import type { SignedIn } from '../../accounts/index.ts';
import type { Actor } from '../../billing/index.ts';
import { requestFacts, rooms } from './rooms.ts';

export interface PageRequest {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** Null when nobody is signed in. Asked of the store once for each request, however many loaders want to know. */
export function readViewer({ request, context }: PageRequest): Promise<SignedIn | null> {
  const asked = known.get(context);
  if (asked) return asked;
  const asking = context.get(rooms).signIn.readSession(request.headers);
  known.set(context, asking);
  return asking;
}

/** For the rest of a request that has just signed somebody in. */
export function setViewer(context: Readonly<RouterContextProvider>, viewer: SignedIn | null): void {
  known.set(context, Promise.resolve(viewer));
}

/** Throws a redirect to the sign-in page, which leads back here. */
export async function requireViewer(page: PageRequest): Promise<SignedIn> {
  const viewer = await readViewer(page);
  if (viewer) return viewer;
  const { pathname, search } = new URL(page.request.url);
  const back = page.request.method === 'GET' ? pathname.replace(DATA_SUFFIX, '') + search : pathname;
  throw redirect(`/sign-in?next=${encodeURIComponent(back)}`);
}

/**
 * The reader as owner of keys, feeds, exports and the like: rooms write down who changed what, and from where. Throws as `requireViewer`.
 */
export async function requireOwner(page: PageRequest) {
  const { accountId, email } = await requireViewer(page);
  const { address } = page.context.get(requestFacts);
  return { owner: { accountId, actor: { id: accountId, name: email }, address }, rooms: page.context.get(rooms) };
}

/** Throws the 404 of an unknown address: for everyone else the desk does not exist. */
export async function requireOperator(page: PageRequest): Promise<SignedIn> {
  const viewer = await readViewer(page);
  if (viewer?.isOperator) return viewer;
  page.context.get(requestFacts).isHidden = true;
  throw data(null, { status: 404 });
}

const known = new WeakMap<object, Promise<SignedIn | null>>();
const DATA_SUFFIX = /\.data$/;

export function toActor({ accountId, email }: SignedIn, context: Readonly<RouterContextProvider>): Actor {
  return { accountId, email, address: context.get(requestFacts).address };
}
