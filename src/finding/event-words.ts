/** Tells by their words the links of a page that lead to events, and those that lead nowhere: calendars without end, sign-in, shops, files. */

import type { PageLink, PageSurvey } from '../providers/index.ts';
import type { Door } from './platforms/platform.ts';

/** How much an address and its text sound of a list of events; 0: not at all. */
export function eventScore({ url, text }: Pick<PageLink, 'url' | 'text'>): number {
  const { pathname } = new URL(url);
  const path = wordsOf(pathname);
  const said = wordsOf(text);
  const strong = EVENT_WORDS.test(path) ? 3 : 0;
  const named = EVENT_WORDS.test(said) ? 3 : 0;
  const weak = WEAK_WORDS.test(path) || WEAK_WORDS.test(said) ? 1 : 0;
  // `/events` rather than `/events/spring-fair-2027`.
  const depth = pathname.split('/').filter((part) => part !== '').length;
  const score = strong + named + weak;
  return score === 0 ? 0 : score + Math.max(0, 3 - depth) * 0.5 - Math.min(2, said.length / 60);
}

/** Whether a page may be asked for while looking around. */
export function isWorthALook(link: PageLink): boolean {
  const url = new URL(link.url);
  if (isCalendarFile(link) || isFeed(link)) return false;
  if (!/^https?:$/.test(url.protocol) || /(?:^|\s)(?:next|prev|nofollow)(?:\s|$)/.test(link.rel)) return false;
  return !isCalendarWalk(link.url) && !NO_PAGE.test(url.pathname) && !NO_USE.test(url.pathname + url.search);
}

/** Another month, week or day of a calendar: one leads to the next, without end. */
export function isCalendarWalk(link: string): boolean {
  const { pathname, searchParams } = new URL(link);
  if (/\/(?:19|20)\d{2}[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)/.test(pathname)) return true;
  if (/\/(?:month|week|day|monat|woche|tag|mois|semaine|jour)(?:[./-][\w.]+)?\/(?:19|20)?\d/i.test(pathname)) return true;
  return [...searchParams].some(
    ([name, value]) =>
      DATE_PARAMETER.test(name) && (/^\d{1,4}$|^\d{4}-?\d{2}(?:-?\d{2})?$|^\d{1,2}[./]\d/.test(value) || value === ''),
  );
}

/** Calendars and feeds that a page names as files, whatever made them. */
export function linkedDoors(page: PageSurvey): Door[] {
  const named = page.named.map((url): PageLink => ({ url, rel: '', type: '', text: '' })).filter((link) => !isFeed(link));
  const links = [...page.links, ...named]
    .map((link) => ({ ...link, url: subscribedAddress(link.url) ?? link.url }))
    // The scheme says what it is.
    .map((link) => (/^webcal/i.test(link.url) ? { ...link, type: 'text/calendar' } : link))
    .map((link) => ({ ...link, url: webAddressOf(link.url, page.url) }))
    // `webcal:` takes names that no host can have.
    .filter(({ url }) => URL.canParse(url));
  const calendars = links.filter(isCalendarFile);
  const shapes = Map.groupBy(new Set(calendars.map(({ url }) => url)), shapeOf);
  const isOneOfMany = ({ url }: PageLink): boolean => (shapes.get(shapeOf(url))?.length ?? 0) >= MANY_FILES;
  const doors = calendars
    .filter((link) => !isOneEvent(link, isOneOfMany))
    .map((link): Door => {
      const rank = link.type === 'text/calendar' ? 80 : 70;
      return { kind: 'ical', location: link.url, platform: 'ical', title: link.text, rank };
    });
  const feeds = links.filter(isFeed).map((link): Door => {
    const rank = 20 + eventScore(link) + (link.type === '' ? 0 : 2);
    return { kind: 'feed', location: link.url, platform: 'rss-event', title: link.text, rank };
  });
  return [...doors, ...feeds];
}

/** "Add to Google" and "Add to Outlook" name the calendar that is meant. */
function subscribedAddress(url: string): string | null {
  if (!ADD_TO.test(url)) return null;
  const { searchParams } = new URL(url);
  const meant = searchParams.get('cid') ?? searchParams.get('url') ?? '';
  return /^(?:webcals?|https?):/i.test(meant) && URL.canParse(meant) ? meant : null;
}

const isFeed = ({ url, type, rel }: PageLink): boolean => {
  if (/comments|\/oembed|\/wp-json\/|\.json$/i.test(url)) return false;
  if (/rss\+xml|atom\+xml|feed\+json/.test(type)) return rel === '' || /alternate/.test(rel);
  return /\.(?:rss|atom)$|\/(?:rss|feed|atom)\/?$|\/rss\.(?:xml|php|aspx)|[?&]format=(?:rss|feed)|\/RSSFeed\.aspx\?/i.test(url);
};

const isCalendarFile = ({ url, type }: PageLink): boolean => {
  if (/calendar\.google\.com\/calendar\/(?:render|event|u\/\d+\/r)/i.test(url) || /[?&]outlook=|outlook-ical=/i.test(url))
    return false;
  if (type === 'text/calendar') return true;
  return CALENDAR_FILE.test(url.replace(/%5B/gi, '[').replace(/%5D/gi, ']'));
};

/** The file of one event: a page offers many that differ in a name or number alone. */
function isOneEvent(link: PageLink, isOneOfMany: (link: PageLink) => boolean): boolean {
  const { url, type, text } = link;
  if (type === 'text/calendar' || SUBSCRIBE.test(text)) return false;
  if (/[?&](?:event_?id|uid|eid|event)=/i.test(url)) return true;
  const { searchParams, pathname } = new URL(url);
  // A page with a name below a list, and its own export.
  if (/^ical$/i.test(searchParams.get('format') ?? '') && pathname.split('/').length > 2 && !searchParams.has('option'))
    return true;
  return isOneOfMany(link);
}

/** An address without what tells one event from another: its numbers and the last name of its path. */
function shapeOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return host + pathname.replace(/\/[^/]+(\.\w+)$/, '/*$1').replace(/\d+/g, '0') + search.replace(/=[^&]*/g, '=');
}

/**
 * The beginning that many addresses of pages about one event share, such as `/event/` or `/show.php?id=`: what may follow `#follow=`. Best
 * first, each with a page as an example. `isList`: the page is a list of events, so that many alike need no word of events.
 */
export function eventPagePrefixes(
  links: readonly PageLink[],
  host: string,
  isList = false,
): { prefix: string; example: string; count: number }[] {
  const found = new Map<string, Set<string>>();
  for (const link of links) {
    const url = new URL(link.url);
    if (bareHost(url.host) !== bareHost(host) || !isWorthALook(link)) continue;
    const prefix = prefixOf(url);
    if (prefix === null || !(EVENT_WORDS.test(wordsOf(prefix)) || (isList && !NO_EVENT_PAGES.test(prefix)))) continue;
    found.set(prefix, (found.get(prefix) ?? new Set()).add(url.href));
  }
  return [...found]
    .map(([prefix, urls]) => ({
      prefix,
      example: [...urls].at(0) ?? '',
      count: urls.size,
      isNamed: EVENT_WORDS.test(wordsOf(prefix)),
    }))
    .filter(({ count, isNamed }) => count >= (isNamed ? 2 : MANY_FILES))
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.count - a.count);
}

/** All but the last name of a path, or all but the number in a query; null for what stands at the top. */
function prefixOf({ pathname, search }: URL): string | null {
  const query = /^(\?(?:\w+=\D[^&=]*&)*\w+=)\d+$/.exec(search)?.[1];
  if (query !== undefined) return pathname + query;
  // A year at the end would be this year's.
  const prefix = /^(.*?\/)(?:(?:19|20)\d\d\/(?:\d\d?\/){0,2})?[^/]+\/?$/.exec(pathname)?.[1] ?? '/';
  return prefix === '/' || prefix.includes(',') ? null : prefix;
}

export const bareHost = (host: string): string => host.replace(/^www\./, '');

/** `webcal:` is http for programs of calendars. A page over http has its files there too. */
export function webAddressOf(url: string, page = 'https:'): string {
  return url.replace(/^webcals?:/i, page.startsWith('http:') ? 'http:' : 'https:');
}

/** Whether titles and names sound of what is not for the public. */
export const soundsInternal = (text: string): boolean => INTERNAL_WORDS.test(text);

/** Whether the text of a link says what it does, and nothing of what it leads to: "Subscribe", "Add to calendar", "iCal (.ics)". */
export const saysOnlySubscribe = (text: string): boolean =>
  wordsOf(text)
    .split(' ')
    .every((word) => word === '' || ACT_WORDS.test(` ${word} `));

/** Words of a path or a text, with spaces around each. */
function wordsOf(text: string): string {
  let decoded = text;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // It stays as it is.
  }
  return ` ${decoded
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/['’\p{M}]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

const words = (...list: string[]): RegExp => new RegExp(` (?:${list.join('|')}) `, 'u');
/** English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech; accents are cut off. */
const EVENT_WORDS = words(
  'events?|event list|calendars?|eventscalendar|whats on|whatson|whats happening|happenings?|going out|upcoming|things to do|agenda',
  'program(?:me?s?)?|performances?|concerts?|gigs?|shows?|showtimes|screenings?|now showing|listings?|tickets?|season|on stage|live music',
  'veranstaltung(?:en|skalender|sprogramm)?|termine?|terminkalender|kalender|spielplan|konzerte?|auffuhrungen|vorstellungen|programm|spielzeit|ausstellungen|fuhrungen|vortrage|gottesdienste',
  'evenements?|calendrier|programmation|spectacles?|manifestations?|sorties|representations',
  'eventos?|calendario|cartelera|programacion|conciertos|actividades',
  'eventi|spettacoli|programma|concerti|appuntamenti|evenementen|voorstellingen|activiteiten|eventkalender|evenemang|arrangementer?|koncerter',
  'tapahtumat|tapahtumakalenteri|wydarzenia|kalendarz|akce|udalosti|kalendar|programacao',
);
const WEAK_WORDS = words(
  'classes|workshops?|courses|meetings?|meetups?|hikes?|tours?|talks?|lectures?|readings?|schedule|dates|visit|activities|sessions|services',
  'ical|ics|icalendar|webcal|kurse|kursprogramm|workshops|aktuelles|seminare|lesungen|wanderungen|cours|ateliers|stages|cursos|talleres|corsi|exhibitions?|festivals?|film|films|kino|theater|musik|kultur',
);
const DATE_PARAMETER =
  /^(?:y|m|d|year|month|week|day|date|start|end|from|to|jahr|monat|woche|tag|datum|von|bis|mois|annee|cal_?month|cal_?year|tribe-bar-date|eventdate|startdate|selecteddate|ajaxcalendar|yr|mo|dy|week_?start)$/i;
const NO_PAGE = /\.(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|svg|webp|zip|mp[34]|mov|css|js|woff2?|ico|(?<!xml\.)gz|ashx)$/i;
const NO_USE =
  /\/(?:wp-admin|wp-login|wp-json|wp-content|xmlrpc|admin|administrator|login|log-in|signin|sign-in|signup|register|account|my-account|cart|checkout|basket|warenkorb|privacy|datenschutz|impressum|cookie|search|suche)(?:[/.?-]|$)|[?&](?:s|q|search|lightbox|replytocom|add-to-cart|redirect|return|next|share)=/i;
/** Programs name parameters with prefixes and in brackets. */
const CALENDAR_FILE =
  /\.ics(?:[?#]|$)|[?&[](?:\w+_)?(?:format|output|type|export|feed|view|mode)\]?=(?:ical|ics|icalendar|vcal)\b|[?&[](?:\w+-)?(?:ical|ics)\]?=(?:1|true|yes)\b|\/(?:ical|ics|icalendar|webcal)(?:[/?#]|$)/i;
const ADD_TO = /^https:\/\/(?:(?:calendar|www)\.google\.com\/calendar|outlook\.(?:live|office|office365)\.com)\//i;
/** Lists, archives and people, of which a page names as many. */
const NO_EVENT_PAGES =
  /\/(?:category|kategorie|categories|tag|tags|schlagwort|author|autor|page|seite|product|produkt|shop|news|blog|aktuelles|archive?|team|artists?|location|venue|ort|orte|genre|series|reihe)s?\//i;
const SUBSCRIBE = /subscri|abonn|all events|alle |kalender|calendar|feed|suscri|iscriv/i;
const INTERNAL_WORDS =
  /\b(?:internal|intern[ae]?s?|private|staff|dept\.?|department heads|hr|interview panel|payroll|personnel|employees?|mitarbeiter\w*|dienstbesprechung|belegschaft|personalrat|personnel|reunion interne|confidential|board only)\b/i;
/** The same languages. Acts, formats, and what stands between them. */
const ACT_WORDS = words(
  'subscribe|add|export|download|sync|follow|get|open|view|import|copy|more|here|this|our|your|all|the|to|a|in|as|via|on|of|with|and|now',
  'i|cal|calend[ae]r|calendars|ical|icalendar|i?cs|webcal|rss|atom|feeds?|xml|file|link|url|google|outlook|apple|office|365|events?',
  'abonnieren|exportieren|herunterladen|hinzufugen|kalender|termine|veranstaltungen|im|in|zum|den|als|alle|hier|datei',
  'abonner|sabonner|exporter|telecharger|ajouter|calendrier|agenda|evenements|au|mon|le|en|tous|ici|fichier',
  'suscribirse|suscribete|exportar|descargar|anadir|calendario|eventos|al|mi|el|todos|aqui|iscriviti|esporta|scarica|aggiungi|eventi|tutti',
  'abonneren|exporteren|downloaden|toevoegen|agenda|aan|prenumerera|lagg|till|abonner|tilfoj|til|tilaa|subskrybuj|dodaj|do|kalendarza',
);
const MANY_FILES = 3;
