/** Lists everything that a page names: its links, frames and scripts, and the signs of events and platforms on it. For those who look for sources. */

import { isWeb } from './api-request.ts';
import { plainText } from './fields/clean-text.ts';
import { isSitemap, pagesOfSitemap } from './kinds/jsonld/find-pages.ts';
import { walkTags } from './kinds/jsonld/walk-tags.ts';
import type { SourceResponse } from './provider.ts';
import { decodeText } from './reading/decode-text.ts';

export interface PageSurvey {
  /** The address that answered. */
  url: string;
  form: 'page' | 'calendar' | 'feed' | 'sitemap' | 'json' | 'other';
  /** Of a page, a calendar or a feed; may be empty. */
  title: string;
  /** `<a>`, `<area>` and `<link>`, in their order; of a sitemap what it lists. Addresses are absolute, `webcal:` is kept. */
  links: PageLink[];
  /** Absolute addresses of what the page shows in a frame, or leads to at once. */
  frames: string[];
  /** Absolute addresses of scripts. */
  scripts: string[];
  /** Absolute addresses that buttons, `data-` attributes, templates and inline scripts name. */
  named: string[];
  /** Generators, classes, ids, `data-` attributes as `name="value"`, and inline scripts: what platforms are recognized by. */
  marks: string;
  /** It describes events to machines, as schema.org or as a microformat. */
  hasSchemaEvents: boolean;
  hasMicroformats: boolean;
  /** A form asks for a password. */
  hasPasswordField: boolean;
}

export interface PageLink {
  url: string;
  rel: string;
  /** As the page says it, such as `text/calendar`. */
  type: string;
  /** Its text, or its title; at most 200 characters. */
  text: string;
}

/** Linear in the page. */
export function surveyPage(answer: SourceResponse): PageSurvey {
  const text = decodeText(answer);
  const head = text.slice(0, SNIFFED_CHARS);
  const survey: PageSurvey = {
    url: answer.url,
    form: 'other',
    title: '',
    links: [],
    frames: [],
    scripts: [],
    named: [],
    marks: '',
    hasSchemaEvents: false,
    hasMicroformats: false,
    hasPasswordField: false,
  };
  if (isSitemap(text)) return { ...survey, form: 'sitemap', links: linksOfSitemap(text, answer.url) };
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return { ...survey, form: 'calendar', title: cut(CALENDAR_NAME.exec(text)?.[1] ?? '') };
  if (/<(?:rss|feed|rdf:RDF)[\s>]/i.test(head))
    return { ...survey, form: 'feed', title: cut(plainText(FEED_TITLE.exec(head)?.[1] ?? '')) };
  if (/^\s*[[{]/.test(text)) return { ...survey, form: 'json' };
  if (!/<[a-z!]/i.test(head)) return survey;
  survey.form = 'page';
  walkPage(text, survey);
  return survey;
}

function linksOfSitemap(text: string, url: string): PageLink[] {
  const pages = pagesOfSitemap(text, url, []).filter((page) => page.url.length <= MAX_URL_CHARS);
  return pages.map((page) => ({ url: page.url, rel: '', type: '', text: '' }));
}

/** The parts that are being read while the page is walked. */
interface Walk {
  base: string;
  link: PageLink | null;
  inTitle: boolean;
  /** The text of the script at hand; null outside of scripts. */
  script: string | null;
  isJsonLd: boolean;
  marks: string[];
  named: Set<string>;
}

function walkPage(html: string, survey: PageSurvey): void {
  const walk: Walk = {
    base: survey.url,
    link: null,
    inTitle: false,
    script: null,
    isJsonLd: false,
    marks: [],
    named: new Set(),
  };
  walkTags(html, {
    wants: (tag, attribute) => READ.has(attribute) || attribute.startsWith('data') || tag === 'meta',
    open: (tag, attributes) => openTag(tag, attributes, walk, survey),
    text(piece) {
      // The state of a page that a script fills may be long, and name its calendars at the end.
      if (walk.script !== null) walk.script += piece;
      // A piece may be as long as the page.
      else if (walk.inTitle) survey.title += piece.slice(0, MAX_NAMING_CHARS - survey.title.length);
      else if (walk.link && walk.link.text.length < MAX_TEXT_CHARS) walk.link.text += piece.slice(0, MAX_NAMING_CHARS);
    },
    close(tag) {
      if (tag === 'title') walk.inTitle = false;
      if (tag === 'a') walk.link = null;
      if (tag === 'script') closeScript(walk, survey);
    },
  });
  survey.title = cut(survey.title);
  for (const link of survey.links) link.text = cut(link.text);
  survey.marks = walk.marks.join('\n');
  survey.named = [...walk.named];
  // A page that is nothing but the way to another.
  const [, set, called] = survey.links.length < MIN_LINKS ? (SCRIPTED_REDIRECT.exec(survey.marks) ?? []) : [];
  push(survey.frames, absolute(set ?? called ?? '', walk.base));
}

function openTag(tag: string, attributes: ReadonlyMap<string, string>, walk: Walk, survey: PageSurvey): void {
  const of = (name: string): string => attributes.get(name)?.trim() ?? '';
  const address = (...names: string[]): string => absolute(names.map(of).find((each) => each !== '') ?? '', walk.base);
  noteMarks(tag, attributes, walk, survey);
  noteNamed(tag, attributes, walk);
  if (LINKS.has(tag)) openLink(tag, of, walk, survey);
  else if (FRAMES.has(tag)) openFrame(attributes, walk, survey);
  else if (tag === 'meta' && /^refresh$/i.test(of('http-equiv')))
    push(survey.frames, absolute(REFRESH.exec(of('content'))?.[1] ?? '', walk.base));
  else if (tag === 'title' && survey.title === '') walk.inTitle = true;
  else if (tag === 'base') walk.base = address('href') || walk.base;
  else if (tag === 'input' && /^password$/i.test(of('type'))) survey.hasPasswordField = true;
  else if (tag === 'script') {
    push(survey.scripts, address('src'));
    walk.script = '';
    walk.isJsonLd = /ld\+json/i.test(of('type'));
  }
}

/** The text of a link is what it encloses; `<area>` and `<link>` have their title alone. */
function openLink(tag: string, of: (attribute: string) => string, walk: Walk, survey: PageSurvey): void {
  if (tag === 'a') walk.link = null;
  if (survey.links.length >= MAX_LINKS) return;
  const url = absolute(of('href'), walk.base);
  if (url === '') return;
  const link = { url, rel: of('rel').toLowerCase(), type: of('type').toLowerCase(), text: tag === 'a' ? '' : of('title') };
  survey.links.push(link);
  if (tag === 'a') walk.link = link;
}

/** One that waits for consent has its address in an attribute that its program invented. */
function openFrame(attributes: ReadonlyMap<string, string>, { base }: Walk, survey: PageSurvey): void {
  for (const [name, value] of attributes)
    if (name === 'src' || name === 'data' || (name.startsWith('data-') && /^(?:https?:)?\/\//i.test(value.trim())))
      push(survey.frames, absolute(value.trim(), base));
}

/** Notes addresses that a click leads to without a link, or that a template or an attribute holds for a script. */
function noteNamed(tag: string, attributes: ReadonlyMap<string, string>, walk: Walk): void {
  for (const [name, value] of attributes) {
    const isNaming = NAMING.has(name) || (name.startsWith('data-') && !FRAMES.has(tag));
    if (isNaming) note(walk, value.slice(0, MAX_NAMING_CHARS));
  }
}

function note({ named, base }: Walk, text: string): void {
  for (const address of named.size < MAX_LINKS ? addressesIn(text) : []) {
    if (named.size >= MAX_LINKS) return;
    const url = absolute(address, base);
    if (url !== '') named.add(url);
  }
}

function noteMarks(tag: string, attributes: ReadonlyMap<string, string>, walk: Walk, survey: PageSurvey): void {
  for (const [name, value] of attributes) {
    if (/^item(?:type|prop)$|^typeof$/.test(name) && EVENT_TYPE.test(value)) survey.hasSchemaEvents = true;
    if (name === 'class' && MICROFORMAT.test(value)) survey.hasMicroformats = true;
    const isMark = name === 'id' || name === 'class' || name.startsWith('data-') || tag === 'meta';
    if (isMark) walk.marks.push(`${name}="${value.slice(0, MAX_MARK_CHARS)}"`);
  }
}

function closeScript(walk: Walk, survey: PageSurvey): void {
  const { script, isJsonLd } = walk;
  walk.script = null;
  if (script === null || script.trim() === '') return;
  if (isJsonLd && EVENT_TYPE.test(script)) survey.hasSchemaEvents = true;
  if (isJsonLd) return;
  note(walk, script);
  walk.marks.push(script);
}

/** Addresses outside of links: as written, without the escapes of JSON and HTML; relative ones too. Those of the web, and files of calendars. Linear in the text. */
function addressesIn(text: string): string[] {
  const plain = templateOf(text).replace(ESCAPES, (found) => MEANINGS[found.toLowerCase()] ?? found);
  const whole = plain.trim();
  if (WHOLE.test(whole)) return [whole];
  return Array.from(plain.matchAll(QUOTED), ([, address = '']) => address).slice(0, MAX_ADDRESSES);
}

/** Tools that ask for consent keep what they hold back in base64. */
function templateOf(text: string): string {
  const packed = text.trim();
  if (packed.length > MAX_PACKED_CHARS || !PACKED.test(packed)) return text;
  const template = Buffer.from(packed, 'base64').toString('utf8');
  return template.includes('<') ? template : text;
}

function push(list: string[], url: string): void {
  if (url !== '' && list.length < MAX_LINKS) list.push(url);
}

/** Empty for what is no address of the web or of a calendar, and for one longer than a site needs. */
function absolute(href: string, base: string): string {
  if (href === '' || !URL.canParse(href, base)) return '';
  const url = new URL(href, base);
  if (url.href.length > MAX_URL_CHARS) return '';
  return isWeb(url.href) || /^webcals?:$/.test(url.protocol) ? url.href : '';
}

const cut = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_CHARS);

const READ: ReadonlySet<string> = new Set([
  'href',
  'src',
  'rel',
  'type',
  'title',
  'class',
  'id',
  'itemtype',
  'typeof',
  'content',
  'name',
  'http-equiv',
  'onclick',
  'srcdoc',
]);
const NAMING: ReadonlySet<string> = new Set(['onclick', 'srcdoc']);
const LINKS: ReadonlySet<string> = new Set(['a', 'area', 'link']);
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object']);
const REFRESH = /^\s*\d*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i;
const SCRIPTED_REDIRECT =
  /\blocation(?:\.href)?\s*=\s*["'`]([^"'`\s]{1,1000})["'`]|\blocation\.(?:replace|assign)\(\s*["'`]([^"'`\s]{1,1000})/;
/** A page with fewer shows nothing itself. */
const MIN_LINKS = 3;
const EVENT_TYPE = /Event\b|Festival\b|EventSeries\b/;
const MICROFORMAT = /(?:^|\s)(?:h-event|vevent)(?:\s|$)/;
const CALENDAR_NAME = /^(?:X-WR-CALNAME|NAME)[^:\r\n]{0,100}:([^\r\n]{0,300})/im;
const FEED_TITLE = /<title[^>]{0,200}>([^<]{0,300}|<!\[CDATA\[[^\]]{0,300})/i;
const SNIFFED_CHARS = 4_000;
const MAX_LINKS = 3_000;
/** Patterns are matched with each address. */
const MAX_URL_CHARS = 4_000;
const MAX_TEXT_CHARS = 200;
const MAX_MARK_CHARS = 500;
/** Of one title, link or attribute. */
const MAX_NAMING_CHARS = 256 * 1024;
const ESCAPES = /\\\/|\\u002f|\\u0026|\\u003d|\\u003f|&amp;|&#0?38;/gi;
const MEANINGS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  '\\/': '/',
  '\\u002f': '/',
  '\\u0026': '&',
  '\\u003d': '=',
  '\\u003f': '?',
  '&amp;': '&',
  '&#38;': '&',
  '&#038;': '&',
};
const WHOLE = /^(?:(?:https?|webcals?):)?\/{1,2}[^\s"'`<>{}|\\^]{2,1000}$|^[\w./-]{1,200}\.ics(?:\?[^\s"'`<>]{0,500})?$/i;
const QUOTED =
  /["'`]((?:(?:https?|webcals?):)?\/{1,2}[^\s"'`<>{}|\\^]{2,1000}|[\w./-]{1,200}\.ics(?:\?[^\s"'`<>]{0,500})?)["'`]/gi;
const PACKED = /^[\w+/]{40,}={0,2}$/;
const MAX_PACKED_CHARS = 64 * 1024;
const MAX_ADDRESSES = 1_000;
