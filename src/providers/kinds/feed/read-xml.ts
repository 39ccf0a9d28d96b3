/** RSS 0.9x, 1.0 (RDF), 2.0 and Atom: items with everything in them, extensions of any namespace included. */

import { Parser } from 'htmlparser2';
import { ProviderError } from '../../provider-error.ts';
import { refuseEntities } from '../../reading/refuse-entities.ts';
import { type FeedField, type ParsedFeed, SPACES, simpleName } from './field.ts';

/**
 * Throws a `ProviderError` for XML that nobody should parse and for what is no feed. Forgiving otherwise: feeds are written by hand and
 * by templates, so case, undeclared prefixes and tags that do not match stop nothing.
 */
export function readXml(xml: string): ParsedFeed {
  refuseEntities(xml);
  const feed: ParsedFeed = { items: [], isCutOff: false, next: null };
  const spaces = new Map<string, string>();
  const open: OpenElement[] = [];
  let item: OpenItem | null = null;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        declareSpaces(attributes, spaces);
        const element = openElement(qualified, attributes, spaces, open, parser.endIndex + 1);
        if (item !== null) return;
        const { space, name } = element;
        if (ITEMS.has(name) && space === 'core') item = { fields: [], depth: open.length };
        else if (name === 'link' && /^next$/i.test(attributes.rel ?? '')) feed.next ??= attributes.href ?? null;
      },
      ontext(text) {
        const element = open.at(-1);
        if (element) element.text += text;
      },
      onclosetag(_name, isImplied) {
        const element = open.pop();
        if (!element) return;
        if (open.length === 0) feed.isCutOff ||= isImplied;
        if (item === null) return;
        if (open.length < item.depth) {
          closeItem(feed, item, element, isImplied);
          item = null;
        } else if (!element.isOpaque && item.fields.length < MAX_FIELDS) {
          item.fields.push(fieldOf(element, textOf(element, xml, parser.startIndex), open.slice(item.depth)));
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  if (open.length === 0 && feed.items.length === 0 && !/<[a-z]/i.test(xml)) throw notAFeed();
  return feed;
}

interface OpenItem {
  fields: FeedField[];
  depth: number;
}

/** Adds an element to those that are open. */
function openElement(
  qualified: string,
  attributes: Readonly<Record<string, string>>,
  spaces: ReadonlyMap<string, string>,
  open: OpenElement[],
  contentAt: number,
): OpenElement {
  const { space, name } = nameOf(qualified, spaces);
  if (open.length === 0 && !ROOTS.has(name)) throw notAFeed();
  // Tags that do not match may nest deeper than a look at the brackets tells.
  if (open.length >= MAX_DEPTH) throw new ProviderError('too_deep', `the document is nested deeper than ${MAX_DEPTH} elements`);
  const around = open.at(-1);
  if (around) around.hasElements = true;
  const isOpaque = around !== undefined && (around.isOpaque || isMarkup(around));
  const element: OpenElement = { space, name, attributes, text: '', contentAt, hasElements: false, isOpaque };
  open.push(element);
  return element;
}

function closeItem(feed: ParsedFeed, { fields }: OpenItem, element: OpenElement, isCutOff: boolean): void {
  // RSS 1.0 names its items by an attribute.
  const about = element.attributes['rdf:about'];
  if (about !== undefined) fields.push({ space: 'core', name: 'about', parent: '', text: about, attributes: {} });
  if (feed.items.length < MAX_ITEMS) feed.items.push({ fields, isCutOff });
  else feed.isCutOff = true;
}

/** Markup as it is written; `end`: where the content ends. */
function textOf(element: OpenElement, xml: string, end: number): string {
  return element.hasElements && isMarkup(element) ? xml.slice(element.contentAt, end) : element.text;
}

/** `inside`: the elements between the item and this one. */
function fieldOf({ space, name, attributes, text: own }: OpenElement, text: string, inside: readonly OpenElement[]): FeedField {
  const around = inside.findLast((each) => !WRAPPERS.has(each.name));
  // RFC 6321 §3.6 puts values into elements named for their type.
  if (around?.space === 'xcal' && VALUE_TYPES.has(name)) around.text += own;
  return { space, name, parent: around?.name ?? '', text: text.trim(), attributes };
}

interface OpenElement extends Omit<FeedField, 'parent'> {
  contentAt: number;
  hasElements: boolean;
  /** Inside markup, such as a paragraph of a description: no field of the item. */
  isOpaque: boolean;
}

/** Elements that may hold markup, as Atom's XHTML and careless descriptions do. */
const isMarkup = ({ space, name }: Pick<FeedField, 'space' | 'name'>): boolean => space !== 'media' && MARKUP.has(name);

/** Namespaces in XML 1.0 §6; one meaning per prefix and document, which is all that feeds need. */
function declareSpaces(attributes: Readonly<Record<string, string>>, spaces: Map<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const prefix = name.startsWith('xmlns:') ? name.slice('xmlns:'.length).toLowerCase() : null;
    if (prefix !== null && !spaces.has(prefix)) spaces.set(prefix, spaceOf(value));
  }
}

function nameOf(qualified: string, spaces: ReadonlyMap<string, string>): { space: string; name: string } {
  const colon = qualified.indexOf(':');
  const name = simpleName(qualified.slice(colon + 1));
  if (colon === -1) return { space: 'core', name };
  const prefix = qualified.slice(0, colon).toLowerCase();
  return { space: spaces.get(prefix) ?? (SPACES.find((known) => known === prefix) || prefix), name };
}

function spaceOf(address: string): string {
  return SPACE_OF.find(({ sign }) => sign.test(address))?.space ?? address;
}

function notAFeed(): ProviderError {
  return new ProviderError('not_of_the_kind', 'the document is not an RSS, Atom or JSON feed');
}

const SPACE_OF: readonly { sign: RegExp; space: (typeof SPACES)[number] }[] = [
  {
    sign: /^https?:\/\/(?:purl\.org\/(?:rss\/1\.0|atom\/ns#?)\/?$|www\.w3\.org\/2005\/Atom|my\.netscape\.com\/rdf|backend\.userland\.com)/i,
    space: 'core',
  },
  { sign: /purl\.org\/rss\/1\.0\/modules\/content/i, space: 'content' },
  { sign: /purl\.org\/dc\//i, space: 'dc' },
  { sign: /search\.yahoo\.com\/mrss/i, space: 'media' },
  { sign: /xcal|icalendar/i, space: 'xcal' },
  { sign: /schemas\.google\.com\/g\//i, space: 'gd' },
];
const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf', 'feed']);
const ITEMS: ReadonlySet<string> = new Set(['item', 'entry']);
/** Say nothing of their own: what they hold is said by the item. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['group', 'vcalendar', 'components', 'vevent', 'properties', 'event', 'events', 'eventdetails', 'schedule', 'occurrence'],
]);
const VALUE_TYPES: ReadonlySet<string> = new Set(['datetime', 'date', 'text']);
const MARKUP: ReadonlySet<string> = new Set(['title', 'description', 'encoded', 'content', 'summary', 'body']);
const MAX_DEPTH = 256;
const MAX_ITEMS = 20_000;
/** In one item. */
const MAX_FIELDS = 1_000;
