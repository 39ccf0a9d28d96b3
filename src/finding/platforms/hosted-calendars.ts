/** Services that host a calendar for others, and are named by an address or an embed. */

import { ical, jsonld, type Platform } from './platform.ts';

export const HOSTED_CALENDARS: readonly Platform[] = [
  {
    name: 'google-calendar',
    address:
      /^https?:\/\/(?:calendar|www)\.google\.com\/calendar\/?(?:[a-z]\/\d{1,3}\/?){0,3}(?:embed|htmlembed|render|r)?(?:\/[\w/]{0,50})?\?(?:[^#]*&)?(?:src|cid)=/i,
    find: ({ input }) => {
      const { searchParams } = new URL(input);
      const ids = [...searchParams.getAll('src'), ...searchParams.getAll('cid')].map(googleId).filter((id) => id !== null);
      return { doors: [...new Set(ids)].map((id) => ical(GOOGLE_ICAL(id))) };
    },
  },
  {
    // Calendars that a script of the page shows, and the feeds of before. An id is tried from its beginning alone.
    name: 'google-calendar',
    marks:
      /(?<![\w.+-])[\w.+-]{1,200}(?:@|%40)(?:group|import)\.calendar\.google\.com|(?<=\bgoogle_?calendar_?id["']?\s{0,5}[:=]\s{0,5}["'])[\w.+%-]{1,200}(?:@|%40)[\w.-]{1,100}/gi,
    find: ([id]) => ({ doors: [ical(GOOGLE_ICAL(id.replace(/%40/i, '@')))] }),
  },
  {
    name: 'google-calendar',
    address: /^https?:\/\/(?:calendar|www)\.google\.com\/calendar\/feeds\/([^/]+)\/public\//i,
    find: ([, id = '']) => ({ doors: [ical(GOOGLE_ICAL(id.replace(/%40/i, '@')))] }),
  },
  {
    name: 'tockify',
    address: /^https?:\/\/(?:www\.|public\.)?tockify\.com\/(?!api\/|browser\/|i\/)([\w.-]+)(?:\/|$)/i,
    find: ([, name = '']) => ({ doors: [ical(`https://tockify.com/api/feeds/ics/${name}`)] }),
  },
  {
    name: 'tockify',
    marks: /data-tockify-calendar="([\w.-]+)"/g,
    find: ([, name = '']) => ({ doors: [ical(`https://tockify.com/api/feeds/ics/${name}`)] }),
  },
  {
    name: 'trumba',
    address: /^https?:\/\/(?:www\.)?trumba\.com\/calendars\/([\w-]+)/i,
    find: ([, name = '']) => ({ doors: [ical(`https://www.trumba.com/calendars/${name}.ics`)] }),
  },
  {
    // 25Live publishes through the same program, from a host of its own.
    name: 'trumba',
    marks: /\bwebName\s*:\s*["']([\w.-]+)["']/g,
    find: ([, name = ''], { scripts }) => {
      const is25Live = scripts.some((url) => /collegenet\.com/i.test(url));
      return { doors: [ical(`https://${is25Live ? '25livepub.collegenet.com' : 'www.trumba.com'}/calendars/${name}.ics`)] };
    },
  },
  {
    name: '25live',
    address: /^https?:\/\/25livepub\.collegenet\.com\/calendars\/([\w.-]+?)(?:\.\w+)?(?:[?#]|$)/i,
    find: ([, name = '']) => ({ doors: [ical(`https://25livepub.collegenet.com/calendars/${name}.ics`)] }),
  },
  {
    name: 'libcal',
    address: /^(?:https?|webcal):\/\/([\w-]+\.libcal\.com)\/[^#]*[?&](?:calid|cal_id|cid)=(\d+)/i,
    find: ([, host = '', id = '']) => ({ doors: [ical(`https://${host}/ical_subscribe.php?src=p&cid=${id}`)] }),
  },
  {
    name: 'libcal',
    address: /^https?:\/\/[\w-]+\.libcal\.com\/(?:calendar|calendars)?(?:\/|$)/i,
    find: ({ input }) => ({ pages: [input] }),
  },
  {
    name: 'libcal',
    marks: /(?:\bcalId\s*[=:]\s*["']?|data-cal-id=")(\d+)/g,
    find: ([, id = ''], { url }) =>
      /\.libcal\.com$/i.test(new URL(url).hostname)
        ? { doors: [ical(`https://${new URL(url).hostname}/ical_subscribe.php?src=p&cid=${id}`)] }
        : null,
  },
  {
    name: 'teamup',
    address: /^https?:\/\/(?:www\.)?teamup\.com\/(ks[a-z0-9]{8,})/i,
    find: ([, key = '']) => ({ doors: [ical(`https://ics.teamup.com/feed/${key}/0.ics`)] }),
  },
  {
    name: 'outlook',
    address: /^(https:\/\/outlook\.(?:office365|office|live)\.com\/(?:owa\/)?calendar\/[^?#]+\/)calendar\.html/i,
    find: ([, folder = '']) => ({ doors: [ical(`${folder}calendar.ics`)] }),
  },
  {
    name: 'nextcloud',
    address: /^(https?:\/\/[^/]+(?:\/index\.php)?)\/apps\/calendar\/(?:embed|p)\/([\w-]+)/i,
    find: ([, root = '', token = '']) => ({
      doors: [ical(`${root.replace(/\/index\.php$/, '')}/remote.php/dav/public-calendars/${token}?export`)],
    }),
  },
  {
    name: 'luma',
    address: /^https?:\/\/(?:lu\.ma|luma\.com)\/embed\/calendar\/(cal-\w+)/i,
    find: ([, id = '']) => ({ doors: [ical(LUMA_ICAL(id))] }),
  },
  {
    name: 'luma',
    marks: /"api_id"\s*:\s*"(cal-\w+)"/g,
    find: ([, id = ''], { url }) => (/^https?:\/\/(?:lu\.ma|luma\.com)\//i.test(url) ? { doors: [ical(LUMA_ICAL(id))] } : null),
  },
  {
    name: 'luma',
    address:
      /^https?:\/\/(?:lu\.ma|luma\.com)\/(?!embed\/|ics\/|signin|discover|create|home|pricing|terms|privacy)[\w-]+\/?(?:\?|$)/i,
    find: ({ input }) => ({ pages: [input] }),
  },
  {
    name: 'meetup',
    address:
      /^https?:\/\/(?:www\.)?meetup\.com\/(?:[a-z]{2}-[A-Z]{2}\/)?(?!find\b|apps\b|login|register|topics\b|cities\b|pro\b|about|help|blog|lp\b|api\b|media\b)([\w-]+)(?:\/(?:events\/?(?:ical\/?)?)?)?(?:[?#]|$)/i,
    find: ([, group = '']) => ({
      doors: [ical(`https://www.meetup.com/${group}/events/ical/`), jsonld(`https://www.meetup.com/${group}/events/`)],
    }),
  },
  {
    name: 'sched',
    address: /^https?:\/\/([\w-]+)\.sched\.com(?:\/|$)/i,
    find: ([, name = '']) => ({ doors: [ical(`https://${name}.sched.com/all.ics`)] }),
  },
  {
    name: 'bibliocommons',
    address: /^https?:\/\/([\w-]+)\.bibliocommons\.com\/(?:v2\/)?events\b/i,
    find: ([, name = '']) => ({ doors: [['feed', `https://${name}.bibliocommons.com/events/rss/all`]] }),
  },
  {
    name: 'pretix',
    address: /^https?:\/\/pretix\.eu\/(?!about|control|static|api\b)([\w.-]+)\/?(?:[?#]|$)/i,
    find: ([, organizer = '']) => ({ doors: [ical(`https://pretix.eu/${organizer}/events/ical/`)] }),
  },
  {
    name: 'openagenda',
    address: /^https?:\/\/openagenda\.com\/(?:[a-z]{2}\/)?agendas\/(\d+)/i,
    find: ([, id = '']) => ({ doors: [ical(`https://openagenda.com/agendas/${id}/events.v2.ics`)] }),
  },
  {
    name: 'legistar',
    address: /^https?:\/\/([\w-]+)\.legistar\.com(?:\/|$)/i,
    find: ([, client = '']) =>
      /^(?:www|webapi)$/i.test(client)
        ? null
        : { doors: [['legistar', `https://webapi.legistar.com/v1/${client.toLowerCase()}/events`]] },
  },
];

/**
 * An address of a mailbox or group, as it stands, in the address of its feed, or in base64, as Google's own embed code writes it. Holidays
 * and weeks are of no site's making.
 */
function googleId(text: string): string | null {
  const feed = /\/calendar\/(?:feeds|ical)\/([^/]+)\//.exec(text)?.[1];
  if (feed !== undefined) return googleId(feed.replace(/%40/i, '@'));
  if (/^https?:|^webcal|@group\.v\.calendar\.google\.com$/i.test(text)) return null;
  if (text.includes('@')) return text;
  if (!/^[\w+/=-]{8,}$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x21-\x7e]+@[\w.-]+$/.test(decoded) ? decoded : null;
}

const GOOGLE_ICAL = (id: string): string =>
  `https://calendar.google.com/calendar/ical/${encodeURIComponent(id)}/public/basic.ics`;
const LUMA_ICAL = (id: string): string => `https://api.lu.ma/ics/get?entity=calendar&id=${id}`;
