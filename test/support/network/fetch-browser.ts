/** A browser without scripts: it keeps its cookies, sends forms as pages of the site do, and follows no redirect by itself. */

export interface FetchedPage {
  status: number;
  location: string;
  text: string;
  setCookies: string[];
  headers: Headers;
}

/** With `form`: sends it. `more`: headers of this request alone. */
export type FetchBrowser = (path: string, form?: Record<string, string>, more?: Record<string, string>) => Promise<FetchedPage>;

/** Opens the site by way of `base`, without a trailing slash. */
export function openFetchBrowser(base: string, headers: Record<string, string> = {}): FetchBrowser {
  const cookies = new Map<string, string>();
  return async (path, form, more = {}) => {
    const answer = await fetch(base + path, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
        ...more,
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text: await answer.text(),
      setCookies: answer.headers.getSetCookie(),
      headers: answer.headers,
    };
  };
}
