/** The page for an iframe: the element alone, as high as its frame. */

import { hash } from 'node:crypto';
import { type Embed, isSite } from './embeds.ts';
import { escapeHtml, SCRIPT_PATH } from './snippets.ts';

export interface EmbedPage {
  html: string;
  policy: string;
}

/** `lang`: what the frame's address asks for, or nothing. */
export function writeEmbedPage({ id, name, origins }: Embed, publicUrl: string, lang: string | null): EmbedPage {
  const title = escapeHtml(name);
  const oembed = `${publicUrl}/oembed?url=${encodeURIComponent(`${publicUrl}/embed/${id}`)}&amp;format=json`;
  const language = lang === null ? '' : ` lang="${lang}"`;
  const html = `<!doctype html>
<html lang="${lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}">
<style>${STYLE}</style>
<script src="${SCRIPT_PATH}" async></script>
</head>
<body>
<main><marquee-events embed="${id}"${language}><a href="${publicUrl}/events" target="_blank" rel="noopener">${title}</a></marquee-events></main>
</body>
</html>
`;
  const ancestors = origins.length === 0 ? '*' : ["'self'", ...origins.filter(isSite)].join(' ');
  return { html, policy: [...POLICY, `frame-ancestors ${ancestors}`].join('; ') };
}

/** Of one that is gone: said where its events stood. */
export function writeGonePage(publicUrl: string): EmbedPage {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>This list is no longer here</title><style>${STYLE}</style></head>
<body><main><p>This list of events is no longer here. <a href="${publicUrl}/" target="_blank" rel="noopener">See what’s on</a></p></main></body>
</html>
`;
  return { html, policy: [...POLICY, 'frame-ancestors *'].join('; ') };
}

const STYLE =
  'html,body,main{height:100%;margin:0}body{font:15px/1.45 system-ui,sans-serif;color-scheme:light dark}marquee-events{--marquee-height:100%;display:block}p{margin:0;padding:32px;text-align:center}';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
];
