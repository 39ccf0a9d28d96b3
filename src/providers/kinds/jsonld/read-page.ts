/** What a page made for people says to machines: its JSON-LD scripts and its links. */

import { Tokenizer } from 'htmlparser2';

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

/**
 * Takes tokens only and builds no tree, so that the time is linear however tags are nested. A script ends at `</script`, wherever that
 * stands (HTML §13.2.5.15 to 13.2.5.31); what is in a comment or in another raw text element is no script.
 */
export function readPage(html: string): WebPage {
  const page: WebPage = { scripts: [], isCutOff: false, base: null, links: [], next: null };
  let tag = '';
  let attribute = '';
  let value = '';
  let attributes = new Map<string, string>();
  let script: string | null = null;
  const openTag = () => {
    if (tag === 'script' && JSON_LD.test(attributes.get('type') ?? '')) script = '';
    noteAddress(page, tag, attributes);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = end - start > MAX_NAME_LENGTH ? '' : html.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname(start, end) {
        attribute = WANTED.has(tag) && end - start <= MAX_NAME_LENGTH ? html.slice(start, end).toLowerCase() : '';
        value = '';
      },
      onattribdata(start, end) {
        if (attribute !== '') value += html.slice(start, end);
      },
      onattribentity(code) {
        if (attribute !== '') value += String.fromCodePoint(code);
      },
      onattribend() {
        // The first of two attributes of one name counts (HTML §13.2.5.33).
        if (attribute !== '' && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      ontext(start, end) {
        if (script !== null) script += html.slice(start, end);
      },
      onclosetag() {
        if (script !== null) page.scripts.push(script);
        script = null;
      },
      onend() {
        page.isCutOff = script !== null;
      },
      ontextentity() {},
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
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
const MAX_NAME_LENGTH = 64;
const MAX_LINKS = 20_000;
