/** Who does something, as the rooms want to know it. */

import type { RouterContextProvider } from 'react-router';
import type { SignedIn } from '../../accounts/index.ts';
import type { Person } from '../../billing/index.ts';
import { requestFacts } from './rooms.ts';

export function personOf({ accountId, email }: SignedIn, context: Readonly<RouterContextProvider>): Person {
  return { accountId, email, address: context.get(requestFacts).address };
}
