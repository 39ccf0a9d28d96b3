/** What a page made for people says to machines: its JSON-LD scripts and its links. */

import { walkTags } from './walk-tags.ts';

export interface WebPage {
  /** Contents of `<script type="application/ld+json">`, in their order. */
  scripts: string[];
  /** Whether the page ends inside such a script; what there is of it is not in `scripts`. */
  isCutOff: boolean;
  /** Of `<base href>`, as written. */
  base: string | null;
  /** Of `<a href>`, as written, at most 20 000. */
  links: string[];
  /** Of the link with `rel=next`, as written. */
  next: string | null;
}

/** What is in a comment or in another raw text element is no script. */
export function readPage(html: string): WebPage {
  const page: WebPage = { scripts: [], isCutOff: false, base: null, links: [], next: null };
  let script: string | null = null;
  walkTags(html, {
    wants: (tag) => WANTED.has(tag),
    open(tag, attributes) {
      if (tag === 'script' && JSON_LD.test(attributes.get('type') ?? '')) script = '';
      noteAddress(page, tag, attributes);
    },
    text(piece) {
      if (script !== null) script += piece;
    },
    close() {
      if (script !== null) page.scripts.push(script);
      script = null;
    },
  });
  page.isCutOff = script !== null;
  return page;
}

function noteAddress(page: WebPage, tag: string, attributes: ReadonlyMap<string, string>): void {
  const href = attributes.get('href');
  if (href === undefined) return;
  if (tag === 'base') page.base ??= href;
  if ((tag === 'a' || tag === 'link') && /(?:^|\s)next(?:\s|$)/i.test(attributes.get('rel') ?? '')) page.next ??= href;
  else if (tag === 'a' && page.links.length < MAX_LINKS) page.links.push(href);
}

const JSON_LD = /^\s*application\/ld\+json\s*(?:;|$)/i;
/** Elements whose attributes are looked at. */
const WANTED: ReadonlySet<string> = new Set(['script', 'base', 'a', 'link']);
const MAX_LINKS = 20_000;
