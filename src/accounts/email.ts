/** E-mail addresses: which text is one, when two name one account, and when two reach one mailbox. */

export interface Email {
  /** As given, trimmed, in NFC. */
  address: string;
  /** Two addresses with the same are the same account. */
  lower: string;
  /**
   * Two addresses with the same are most likely one person's mailbox: plus tags and Gmail's dots are gone. Good enough to give one
   * trial only, not to say that an account exists: elsewhere the two may be two people.
   */
  mailbox: string;
}

/** Null when `text` is no address one could write to (RFC 5321 §4.1.2 without quoted local parts, sizes of §4.5.3.1). */
export function readEmail(text: string): Email | null {
  const address = text.trim().normalize('NFC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || address.length > LONGEST_ADDRESS || local.length > LONGEST_LOCAL) return null;
  if (!LOCAL.test(local) || !DOMAIN.test(domain)) return null;
  const lower = address.toLowerCase();
  return { address, lower, mailbox: mailboxOf(local, domain) };
}

function mailboxOf(local: string, domain: string): string {
  const plain = local.normalize('NFKC').toLowerCase();
  const name = plain.split('+', 1)[0] || plain;
  const host = domain.normalize('NFKC').toLowerCase();
  if (!GMAIL_HOSTS.has(host)) return `${name}@${host}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}

const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL = 64;
/** Dot-separated atoms; letters beyond ASCII as RFC 6531 allows. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)(?:\.(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?))*$/u;
const GMAIL_HOSTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);
