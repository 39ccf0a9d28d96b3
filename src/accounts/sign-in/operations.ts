/** All that a person does about their own account. The desk is the first argument of each. */

import { deleteAccount } from './delete-account.ts';
import * as passkeys from './passkeys.ts';
import { signIn, verifySecondFactor } from './password-sign-in.ts';
import { keepPassword, readResetLink, requestReset, reset } from './recovery.ts';
import { listSessions, readSession, revokeOtherSessions, revokeSession, signOut } from './sessions.ts';
import * as settings from './settings.ts';
import { readVerification, signUp, verifyEmail } from './sign-up.ts';

export const OPERATIONS = {
  signUp,
  readVerification,
  verifyEmail,
  signIn,
  verifySecondFactor,
  readSession,
  signOut,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  requestReset,
  readResetLink,
  reset,
  keepPassword,
  ...settings,
  ...passkeys,
  deleteAccount,
};
