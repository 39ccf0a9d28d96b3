/** Who does something, as the rooms want to know it. */

import type { RouterContextProvider } from 'react-router';
import type { SignedIn } from '../../accounts/index.ts';
import type { Actor } from '../../billing/index.ts';
import { requestFacts } from './rooms.ts';

export function toActor({ accountId, email }: SignedIn, context: Readonly<RouterContextProvider>): Actor {
  return { accountId, email, address: context.get(requestFacts).address };
}
