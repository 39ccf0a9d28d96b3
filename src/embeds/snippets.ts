/** What people copy into their pages. */

import { readFile } from 'node:fs/promises';

interface EmbedSnippets {
  script: string;
  iframe: string;
}

/** `publicUrl` without a trailing slash. The table keeps the place before the script has come, and leads on without one. */
export function embedSnippets({ id, name }: { id: string; name: string }, publicUrl: string): EmbedSnippets {
  const [title, page] = [escapeHtml(name), `${publicUrl}/embed/${id}`];
  const script = `<script src="${publicUrl}${SCRIPT_PATH}" async></script>
<marquee-events embed="${id}"><table height="${HEIGHT}" width="100%"><tr><td><a href="${page}">${title}</a></td></tr></table></marquee-events>`;
  return { script, iframe: iframeOf({ id, name }, publicUrl, { width: '100%', height: HEIGHT }) };
}

export function iframeOf(
  { id, name }: { id: string; name: string },
  publicUrl: string,
  { width, height }: { width: number | string; height: number },
): string {
  return `<iframe src="${publicUrl}/embed/${id}" title="${escapeHtml(name)}" width="${width}" height="${height}" frameborder="0" loading="lazy"></iframe>`;
}

/** Text for an element or an attribute of HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const SCRIPT_PATH = '/embed/v1/marquee-events.js';
/** Of the element's own style, too. */
export const HEIGHT = 480;

/** The script of `<marquee-events>`, as it stands. */
export const readElementScript = (): Promise<string> => readFile(new URL('./script/marquee-events.js', import.meta.url), 'utf8');
