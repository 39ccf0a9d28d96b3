/** Addresses that a directory may print as links: nothing else is one, whatever a provider writes there. */

/** The address as written when it is of http or https, with `https:` before one that leaves the scheme out (`//host/…`); else null. */
export function webAddress(text: string | null): string | null {
  const address = text?.trim().replace(/^\/\/(?=[\w-])/, 'https://') ?? '';
  return WEB.test(address) && URL.canParse(address) ? address : null;
}

/** No blanks and no control characters inside; as long as the directory keeps. */
const WEB = /^https?:\/\/[^\s\p{Cc}]{1,2000}$/iu;
