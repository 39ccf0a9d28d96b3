/** The account page and the forms of a new account. */

import type { PasskeyListing, SessionListing } from '../../accounts/index.ts';
import type { ShownKey } from './keys.ts';

export interface Confirmed {
  ok: true;
  setCookies: string[];
  /** In this one answer. */
  shown: ShownKey | null;
  /** Why there is no key. */
  problem: string | null;
}

export interface AccountPage {
  viewer: { email: string; name: string; twoFactor: boolean };
  passkeys: PasskeyListing[];
  passkeysWork: boolean;
  sessions: SessionListing[];
}

/** What the page says after a form that was not simply done. */
export type FormResult =
  | { ok: false; about: string; errors: Record<string, string>; typed: Record<string, string> }
  | { ok: true; about: string; errors?: undefined; start?: TwoFactorShown; backupCodes?: string[] };

/** Shown once. */
export interface TwoFactorShown {
  qr: { size: number; path: string };
  secret: string;
}
