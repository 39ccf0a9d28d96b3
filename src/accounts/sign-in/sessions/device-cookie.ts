/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser that has signed in to an account once, or has chosen
 * its password by e-mail, has wrong passwords of its own to spend. So strangers who guess use up their limits and never the owner's.
 *
 *   marquee_device_<of the account>=<device>.<issued, s>.<signature of account, device and moment>
 *
 * The cookie signs nobody in. It is bound to an address, not to a row of the store, so reading it takes the same time for unknown addresses.
 */

import { randomBytes } from 'node:crypto';
import { isSameText } from '../../../values/same-text.ts';
import { type Desk, readCookie, writeCookie } from '../desk.ts';
import type { SignInCaller } from '../engine/ask.ts';
import { bindingOf } from '../engine/binding.ts';

/** A `Set-Cookie` value, for whoever has just proved to own the account of `email`. */
export function makeDeviceCookie(desk: Desk, email: string): string {
  const device = randomBytes(DEVICE_BYTES).toString('base64url');
  const issued = Math.floor(Date.now() / MS_PER_SECOND);
  const value = `${device}.${issued}.${signatureOf(desk, email, device, issued)}`;
  return writeCookie(desk, cookieName(desk, email), value, LIFETIME_SECONDS);
}

/** A `Set-Cookie` value that takes the cookie away. */
export const dropDeviceCookie = (desk: Desk, email: string): string => writeCookie(desk, cookieName(desk, email), '', 0);

/** The device, if the caller has a genuine cookie of it for the account of `email`. */
export function readDevice(desk: Desk, { headers }: SignInCaller, email: string): string | null {
  const [device = '', issuedText = '', signature = ''] = (readCookie(headers, cookieName(desk, email)) ?? '').split('.');
  const issued = Number(issuedText);
  if (!isSameText(signature, signatureOf(desk, email, device, issued))) return null;
  return Date.now() / MS_PER_SECOND - issued < LIFETIME_SECONDS ? device : null;
}

/** One for each account: people share browsers. */
function cookieName({ engine }: Desk, email: string): string {
  const tag = bindingOf(engine.secret, 'device-name', email.toLowerCase()).slice(0, TAG_LENGTH);
  return `${engine.prefix}_device_${tag}`;
}

const signatureOf = ({ engine }: Desk, email: string, device: string, issued: number): string =>
  bindingOf(engine.secret, 'device', `${email.toLowerCase()}\0${device}\0${issued}`);

const DEVICE_BYTES = 12;
const TAG_LENGTH = 8;
const LIFETIME_SECONDS = 31_536_000;
const MS_PER_SECOND = 1_000;
