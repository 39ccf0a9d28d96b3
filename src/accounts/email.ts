/** E-mail addresses: which text is one, when two name one account, and when two reach one mailbox. */

export interface Email {
  /** As given, trimmed, in NFC. */
  address: string;
  /** Two addresses with the same are the same account. */
  lower: string;
  /**
   * Two addresses with the same are most likely one person's mailbox: plus tags are gone, and what the provider ignores. Good enough to
   * give one trial only, not to say that an account exists: elsewhere the two may be two people.
   */
  mailbox: string;
  /** Without plus tags only. Trials of accounts that were deleted long ago are known by it. */
  plainMailbox: string;
}

/** Null when `text` is no address one could write to (RFC 5321 §4.1.2 without quoted local parts, sizes of §4.5.3.1). */
export function readEmail(text: string): Email | null {
  const address = text.trim().normalize('NFC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || address.length > MAX_ADDRESS_LENGTH || local.length > MAX_LOCAL_LENGTH) return null;
  if (!LOCAL.test(local) || !DOMAIN.test(domain)) return null;
  const lower = address.toLowerCase();
  const plain = local.normalize('NFKC').toLowerCase();
  const name = plain.split('+', 1)[0] || plain;
  const host = domain.normalize('NFKC').toLowerCase();
  const provider = PROVIDERS.find(({ hosts }) => hosts.includes(host));
  const mailbox = provider ? `${name.replace(provider.ignored, '')}@${provider.hosts[0]}` : `${name}@${host}`;
  return { address, lower, mailbox, plainMailbox: `${name}@${host}` };
}

const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Dot-separated atoms; letters beyond ASCII as RFC 6531 allows. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)(?:\.(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?))*$/u;
/** Providers that know one mailbox by several addresses: the hosts, and what they ignore in a name. */
const PROVIDERS: readonly { hosts: readonly string[]; ignored: RegExp }[] = [
  { hosts: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { hosts: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { hosts: ['icloud.com', 'me.com', 'mac.com'], ignored: /(?!)/g },
];
