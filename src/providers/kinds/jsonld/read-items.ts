/** Microdata and RDFa Lite of a page as the nodes that JSON-LD would have: the words of schema.org beside the text for people. */

import { createItems, findPrefixes, findReferredIds, type ItemSyntax, mergeReferred } from './item-builder.ts';
import type { Node } from './node.ts';
import { walkTags } from './walk-tags.ts';

export interface PageItems {
  nodes: Node[];
  /** It has events as a microformat, which another kind reads. */
  hasMicroformat: boolean;
}

/** Linear. A page whose elements are nested deeper than 2 000 levels has no items. */
export function readItems(html: string, syntax: ItemSyntax): PageItems {
  const items = createItems(syntax, {
    referred: syntax.ref === null ? new Set() : findReferredIds(html, syntax.ref),
    prefixes: syntax.ref === null ? findPrefixes(html) : new Set(),
  });
  const stack: string[] = [];
  const counts = new Map<string, number>();
  let hasMicroformat = false;
  let isTooDeep = false;
  const pop = () => {
    const tag = stack.pop() ?? '';
    counts.set(tag, (counts.get(tag) ?? 1) - 1);
    items.close();
  };
  walkTags(html, {
    wants: (_, attribute) => ATTRIBUTES.has(attribute) || items.attributes.has(attribute),
    open(tag, attributes) {
      hasMicroformat ||= MICROFORMAT.test(attributes.get('class') ?? '');
      while (IMPLIED_ENDS[tag]?.has(stack.at(-1) ?? '')) pop();
      isTooDeep ||= stack.length >= MAX_DEPTH;
      if (isTooDeep) return;
      items.open(tag, attributes);
      if (VOID.has(tag)) return items.close();
      stack.push(tag);
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    },
    text(piece) {
      const tag = stack.at(-1) ?? '';
      if (!isTooDeep && tag !== 'script' && tag !== 'style') items.text(piece);
    },
    close(tag) {
      // An end of nothing that is open ends nothing.
      if (isTooDeep || (counts.get(tag) ?? 0) === 0) return;
      while (stack.at(-1) !== tag) pop();
      pop();
    },
  });
  while (stack.length > 0) pop();
  if (isTooDeep) return { nodes: [], hasMicroformat };
  mergeReferred(items.referrals, items.fragments);
  return { nodes: items.nodes, hasMicroformat };
}

/** Beside those of the syntax. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['id', 'class', 'content', 'datetime', 'href', 'src', 'data', 'value']);
const MICROFORMAT = /(?:^|\s)(?:h-event|vevent)(?:\s|$)/;
/** HTML §13.1.2. */
const VOID: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);
/** HTML §13.1.2.4: elements that end where these begin, if nothing else is open inside. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const TERMS: ReadonlySet<string> = new Set(['dt', 'dd']);
const PARAGRAPH: ReadonlySet<string> = new Set(['p']);
const IMPLIED_ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
  __proto__: null as never,
  li: new Set(['li']),
  dt: TERMS,
  dd: TERMS,
  td: CELLS,
  th: CELLS,
  tr: new Set(['tr', ...CELLS]),
  option: new Set(['option']),
  ...Object.fromEntries(
    ['p', 'div', 'ul', 'ol', 'dl', 'table', 'section', 'article', 'header', 'footer', 'h1', 'h2', 'h3', 'h4', 'address'].map(
      (tag) => [tag, PARAGRAPH],
    ),
  ),
};
const MAX_DEPTH = 2_000;
