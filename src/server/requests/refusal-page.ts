/** A refusal as a page, for people in front of a browser. It needs nothing but itself: neither the pages' thread nor their files. */

import { hash } from 'node:crypto';

export interface RefusalPage {
  status: number;
  title: string;
  /** One sentence, in lower case as problem documents have it. */
  detail: string;
  requestId: string;
}

export function renderRefusalPage({ status, title, detail, requestId }: RefusalPage): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Marquee</title>
<style>${STYLE}</style>
<main>
<p>${status}</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(sentence)}.</p>
<p><a href="/">Go to the homepage</a></p>
<p><small>Request ID: ${escapeHtml(requestId)}</small></p>
</main>
</html>
`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE =
  'body{font:1.125rem/1.6 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem}h1{line-height:1.2}small{overflow-wrap:anywhere}';
export const REFUSAL_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;
