/**
 * The address of a page or picture that may become a link, or null. It is absolute, of http or https, and without a user or password.
 * It contains no blanks, no invisible characters, and none that could end an attribute or a header. This is the only such rule:
 * everybody who takes an address from somebody else asks it.
 */
export function parseHttpUrl(text: string): URL | null {
  const url = HTTP_URL.test(text) ? URL.parse(text) : null;
  return url?.username === '' && url.password === '' ? url : null;
}

const HTTP_URL = /^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}<>"\\]+$/iu;
