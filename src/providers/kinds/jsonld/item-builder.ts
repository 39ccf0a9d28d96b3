/** Elements with attributes of microdata or RDFa Lite into nodes, one element at a time. */

import { addProperty, isNode, type Node } from './node.ts';

/** How a syntax calls its attributes. */
export interface ItemSyntax {
  /** An element that has it is an item. */
  scope: string;
  type: string;
  property: string;
  id: string;
  /** Names the elements whose properties belong to the item as well. */
  ref: string | null;
}

/** HTML, section 5. */
export const MICRODATA: ItemSyntax = { scope: 'itemscope', type: 'itemtype', property: 'itemprop', id: 'itemid', ref: 'itemref' };

/** RDFa Lite 1.1, section 2. Vocabularies are told apart by what their types are called. */
export const RDFA: ItemSyntax = { scope: 'typeof', type: 'typeof', property: 'property', id: 'resource', ref: null };

export interface ItemBuilder {
  attributes: ReadonlySet<string>;
  /** Items that are no property of another. */
  nodes: Node[];
  referrals: ItemReferral[];
  fragments: Map<string, ItemFragment>;
  open(tag: string, attributes: ReadonlyMap<string, string>): void;
  text(piece: string): void;
  /** The element that was opened last. */
  close(): void;
}

interface OpenElement {
  /** The item that its properties belong to. */
  item: Node | null;
  /** Properties whose value is its text, which begins with this piece. */
  texts: { names: readonly string[]; owner: Node | null; link: string | null; from: number } | null;
  fragment: OpenFragment | null;
}

interface OpenFragment extends ItemFragment {
  owner: Node | null;
}

/** `prefixes` are what a page writes before the words of schema.org, each with its colon. */
export function createItems(
  syntax: ItemSyntax,
  { referred, prefixes }: { referred: ReadonlySet<string>; prefixes: ReadonlySet<string> },
): ItemBuilder {
  const nodes: Node[] = [];
  const referrals: ItemReferral[] = [];
  const fragments = new Map<string, ItemFragment>();
  const stack: OpenElement[] = [];
  const open: OpenFragment[] = [];
  let pieces: string[] = [];
  let texts = 0;
  let depth = 0;

  function give(owner: Node | null, names: readonly string[], value: unknown): void {
    for (const name of names) {
      if (owner) addProperty(owner, name, value);
      for (const fragment of open) if (fragment.owner === owner) fragment.properties.push({ name, value });
    }
  }

  function openFragment(id: string | undefined, owner: Node | null): OpenFragment | null {
    if (id === undefined || !referred.has(id) || fragments.has(id) || open.length >= MAX_FRAGMENTS) return null;
    const fragment: OpenFragment = { owner, properties: [] };
    fragments.set(id, fragment);
    open.push(fragment);
    return fragment;
  }

  function openItem(names: readonly string[], owner: Node | null, attributes: ReadonlyMap<string, string>): Node {
    const node: Node = { '@type': wordsOf(attributes.get(syntax.type)) };
    const id = attributes.get(syntax.id)?.trim();
    if (id) node['@id'] = id;
    const ids = syntax.ref === null ? [] : wordsOf(attributes.get(syntax.ref));
    if (ids.length > 0) referrals.push({ node, ids });
    // Items that are nested too deep stand for themselves.
    const isPart = names.length > 0 && depth < MAX_ITEM_DEPTH;
    if (isPart) give(owner, names, node);
    if (!isPart || owner === null) nodes.push(node);
    return node;
  }

  return {
    attributes: new Set(Object.values(syntax).filter((name) => name !== null)),
    nodes,
    referrals,
    fragments,
    open(tag, attributes) {
      const owner = stack.at(-1)?.item ?? null;
      const fragment = openFragment(attributes.get('id'), owner);
      const names = wordsOf(attributes.get(syntax.property))
        .map((name) => withoutPrefix(name, prefixes))
        .filter((name) => NAME.test(name));
      const element: OpenElement = { item: owner, texts: null, fragment };
      stack.push(element);
      if (BREAKS.has(tag) && texts > 0) pieces.push('\n');
      if (attributes.has(syntax.scope)) {
        element.item = openItem(names, owner, attributes);
        depth++;
        return;
      }
      if (names.length === 0 || (owner === null && open.length === 0)) return;
      const value = attributeValue(tag, attributes, names, syntax);
      if (value !== null) give(owner, names, value);
      else if (texts < MAX_TEXTS) {
        element.texts = { names, owner, link: attributes.get('href') ?? null, from: pieces.length };
        texts++;
      }
    },
    text(piece) {
      if (texts > 0) pieces.push(piece.replace(/\s+/g, ' '));
    },
    close() {
      const element = stack.pop();
      if (!element) return;
      if (element.texts) {
        const { names, owner, link, from } = element.texts;
        give(owner, names, textOf(pieces, from) || (link ?? ''));
        texts--;
        if (texts === 0) pieces = [];
      }
      if (element.item !== (stack.at(-1)?.item ?? null)) depth--;
      if (element.fragment) open.splice(open.indexOf(element.fragment), 1);
    },
  };
}

/** The value that an attribute gives; null where the text of the element is it. */
function attributeValue(
  tag: string,
  attributes: ReadonlyMap<string, string>,
  names: readonly string[],
  { id }: ItemSyntax,
): unknown {
  const reference = id === 'resource' ? attributes.get(id) : undefined;
  if (reference !== undefined) return { '@id': reference };
  const said = attributes.get('content') ?? attributes.get('datetime') ?? attributes.get(VALUE_ATTRIBUTES[tag] ?? '');
  // The text of a link is what it names, unless an address is asked for.
  const isAddress = tag !== 'a' || names.some((name) => ADDRESSES.test(name));
  return said ?? (tag === 'meta' ? '' : isAddress ? (attributes.get('href') ?? null) : null);
}

function textOf(pieces: readonly string[], from: number): string {
  const lines = pieces
    .slice(from, from + MAX_PIECES)
    .join('')
    .split('\n');
  return lines.flatMap((line) => line.trim() || []).join('\n');
}

const wordsOf = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '');

/** Properties that stand inside one element, without those of items in it. */
interface ItemFragment {
  properties: { name: string; value: unknown }[];
}

interface ItemReferral {
  node: Node;
  ids: readonly string[];
}

/**
 * `itemref` of microdata: properties that stand outside the item to which they belong (HTML §5.2.2). What the items of a page refer to; at
 * most 200.
 */
export function findReferredIds(html: string, attribute: string): Set<string> {
  const found = new Set<string>();
  const expression = new RegExp(`\\s${attribute}\\s?=\\s?(?:"([^"<>]{1,500})"|'([^'<>]{1,500})'|([^\\s"'<>]{1,100}))`, 'gi');
  for (const [, double, single, bare] of html.matchAll(expression)) {
    for (const id of (double ?? single ?? bare ?? '').split(/\s+/)) if (id !== '' && found.size < MAX_IDS) found.add(id);
  }
  return found;
}

/**
 * What a page calls schema.org in RDFa (`prefix="s: https://schema.org/"`, or `xmlns:s=…` of the first version), each with its colon. A
 * page that does so in two places means the same.
 */
export function findPrefixes(html: string): Set<string> {
  const found = new Set<string>();
  for (const [, text = ''] of html.matchAll(PREFIX_ATTRIBUTE))
    for (const [, name = ''] of text.matchAll(PREFIX)) if (found.size < MAX_PREFIXES) found.add(`${name}:`);
  for (const [, name = ''] of html.matchAll(NAMESPACE)) if (found.size < MAX_PREFIXES) found.add(`${name}:`);
  return found;
}

function withoutPrefix(name: string, prefixes: ReadonlySet<string>): string {
  const end = name.indexOf(':') + 1;
  return end > 0 && prefixes.has(name.slice(0, end)) ? name.slice(end) : name;
}

/** An item that belongs to several is given to each by reference: so no two can hold each other. */
export function mergeReferred(referrals: readonly ItemReferral[], fragments: ReadonlyMap<string, ItemFragment>): void {
  let merged = 0;
  const refer = (node: Node): Node => {
    node['@id'] ??= `_:item${merged}`;
    return { '@id': node['@id'] };
  };
  for (const { node, ids } of referrals)
    for (const { name, value } of new Set(ids).values().flatMap((id) => fragments.get(id)?.properties ?? []))
      if (merged++ < MAX_MERGED) addProperty(node, name, isNode(value) ? refer(value) : value);
}

const NAME = /^(?!__proto__$)[\w:./#-]{1,100}$/;
const ADDRESSES =
  /(?:^|[:/])(?:url|sameAs|image|photo|logo|contentUrl|availability|eventStatus|eventAttendanceMode|mainEntityOfPage)$/;
/** HTML §5.2.4. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
};
const BREAKS: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'dd']);
/** Levels of items inside one another. */
const MAX_ITEM_DEPTH = 32;
/** Open at one time: each piece of text belongs to all of them. */
const MAX_TEXTS = 32;
const MAX_FRAGMENTS = 8;
/** Of text, in one value. */
const MAX_PIECES = 2_000;
const MAX_IDS = 200;
const PREFIX_ATTRIBUTE = /\sprefix\s?=\s?["']([^"'<>]{1,1000})["']/gi;
const PREFIX = /(?<![\w-])([\w-]{1,40}):\s{1,10}https?:\/\/(?:www\.)?schema\.org\/?(?=\s|$)/gi;
const NAMESPACE = /\sxmlns:([\w-]{1,40})\s?=\s?["']https?:\/\/(?:www\.)?schema\.org\/?["']/gi;
const MAX_PREFIXES = 20;
/** Properties on one page. */
const MAX_MERGED = 50_000;
