/** An e-mail as the library takes it. */

import type { EmailMessage } from './emails.ts';

/** The address is given as an object: a comma or a line in it never becomes a second recipient or a header (RFC 5322 §3.4). */
export function envelope(from: string, { to, subject, text, html }: EmailMessage & { to: string }) {
  if (UNSENDABLE.test(to)) throw new TypeError('wanted one plain e-mail address');
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(CONTROLS, ' '),
    text,
    html,
    // RFC 3834 §5: no out-of-office notes in answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const UNSENDABLE = /[\p{Cc}\s,;<>"()[\]\\]/u;
const CONTROLS = /\p{Cc}+/gu;
