/** Programs that run on the site itself, and are named by what its pages are made of. */

import type { PageSurvey } from '../../providers/index.ts';
import { ical, jsonld, originOf, type Platform } from './platform.ts';

export const SITE_PROGRAMS: readonly Platform[] = [
  {
    name: 'the-events-calendar',
    marks: /\b(?:tribe-events|the-events-calendar|tribe_events)\b/,
    find: (_, page) => tribeDoors(page),
  },
  {
    name: 'the-events-calendar',
    address: /\/plugins\/the-events-calendar\/|\/wp-json\/tribe\/events\//i,
    find: (_, page) => tribeDoors(page),
  },
  {
    name: 'modern-events-calendar',
    address: /\/plugins\/modern-events-calendar/i,
    find: (_, page) => ({ doors: [ical(`${wordPressOf(page)}/?mec-ical-feed=1`)] }),
  },
  {
    name: 'events-manager',
    address: /\/plugins\/events-manager\//i,
    find: (_, page) => ({ doors: [ical(`${wordPressOf(page)}/events.ics`)] }),
  },
  {
    name: 'my-calendar',
    address: /\/plugins\/my-calendar\//i,
    find: (_, page) => ({ doors: [ical(`${wordPressOf(page)}/feed/my-calendar-ics/`)] }),
  },
  {
    name: 'all-in-one-event-calendar',
    address: /\/plugins\/all-in-one-event-calendar/i,
    find: (_, page) => ({
      doors: [
        ical(
          `${wordPressOf(page)}/?plugin=all-in-one-event-calendar&controller=ai1ec_exporter_controller&action=export_events&no_html=true`,
        ),
      ],
    }),
  },
  {
    name: 'squarespace',
    marks: /SQUARESPACE_CONTEXT|Squarespace/,
    find: (_, page) => {
      const isList = SQUARESPACE_LIST.test(page.marks);
      return isList ? { doors: [['squarespace', `${page.url.replace(/[?#].*$/, '')}?format=json`]] } : null;
    },
  },
  {
    name: 'wix',
    marks: /Wix\.com Website Builder/,
    find: (_, page) => ({ doors: [jsonld(`${originOf(page.url)}/event-pages-sitemap.xml`)] }),
  },
  {
    name: 'localist',
    address: /^(https?:\/\/[^/]+)\/widget\/view\?[^#]*(?:container=localist|schools?=|num=)/i,
    find: ([, origin = '']) => ({ doors: localistDoors(origin) }),
  },
  {
    name: 'localist',
    marks: /\blocalist(?:-|_|\.|")|id="lc-app"/i,
    find: (_, page) =>
      LOCALIST_OWN.test(page.marks) || hasLocalistFeed(page) ? { doors: localistDoors(originOf(page.url)) } : null,
  },
  {
    name: 'livewhale',
    address: /^(https?:\/\/[^/]+)\/(?:live\/(?:resource|ical|json|rss)|livewhale)\//i,
    find: ([, origin = '']) => ({
      doors: [['livewhale', `${origin}/live/json/events/`], ical(`${origin}/live/ical/events/`)],
    }),
  },
  {
    name: 'civicplus',
    address:
      /^(?=[^#]*[?&]catID=\d)(?=[^#]*[?&]feed=calendar)(https?:\/\/[^?#]+\/common\/modules\/iCalendar\/iCalendar\.aspx\?[^#]*)/i,
    find: ([, location = '']) => ({ doors: [ical(location)] }),
  },
  {
    name: 'civicplus',
    address: /^https?:\/\/(?:connect\.|www\.)?civicplus\.com(?:\/|$)/i,
    find: (_, page) => ({ pages: [`${originOf(page.url)}/iCalendar.aspx`] }),
  },
  {
    name: 'civicplus',
    address: /^https?:\/\/[^/]+\/(?:iCalendar|calendar)\.aspx/i,
    find: ({ input }) => ({ pages: [`${originOf(input)}/iCalendar.aspx`] }),
  },
  {
    name: 'jevents',
    address: /^https?:\/\/(?=[^#]*[?&]option=com_jevents&)[^#]*[?&]task=icals\.export/i,
    find: ({ input }) => (/[?&]outlook=/i.test(input) ? null : { doors: [ical(input)] }),
  },
  {
    name: 'dpcalendar',
    address: /^https?:\/\/(?=[^#]*[?&]option=com_dpcalendar&)[^#]*[?&]task=ical\.download/i,
    find: ({ input }) => ({ doors: [ical(input)] }),
  },
  {
    name: 'growthzone',
    marks: /\bgz-(?:events?|card)|\bgrowthzone|\bmn-(?:event|calendar)/i,
    find: (_, page) => ({ doors: [jsonld(`${page.url.replace(/[?#].*$/, '')}#follow=/events/details/`)] }),
  },
  {
    name: 'finalsite',
    address: /^https?:\/\/[^#]+\/fs\/calendar-manager\/events\.ics\?/i,
    find: ({ input }) => ({ doors: [ical(input)] }),
  },
  {
    name: 'gancio',
    marks: /content="gancio|\bgancio-events\b/i,
    find: (_, page) => ({ doors: [ical(`${originOf(page.url)}/feed/ics`)] }),
  },
  {
    name: 'mobilizon',
    address: /^(https?:\/\/[^/]+\/@[\w.]+)(?:\/events)?\/?$/i,
    find: ([, group = ''], page) => (/mobilizon/i.test(page.marks) ? { doors: [ical(`${group}/feed/ics`)] } : null),
  },
];

/** The interface, and two files: of the list by its usual name, and by a query that holds whatever the list is called. */
function tribeDoors(page: PageSurvey) {
  const root = wordPressOf(page);
  const rest = apiOf(page)?.includes('rest_route=') ? '/?rest_route=' : '/wp-json';
  return {
    doors: [
      ['tribe', `${root}${rest}/tribe/events/v1/events`],
      ical(`${root}/events/?ical=1`),
      ical(`${root}/?post_type=tribe_events&ical=1&eventDisplay=list`),
    ] as const,
  };
}

/** Where WordPress lives: the page itself says it, or its files do; else it is the root of the host. */
function wordPressOf(page: PageSurvey): string {
  const { links, scripts, url } = page;
  const api = apiOf(page)?.replace(/\/wp-json\/?$|\/(?:index\.php)?\?rest_route=.*$/, '');
  const files = [...scripts, ...links.map((link) => link.url)].map(
    (each) => /^(https?:\/\/[^?#]*?)\/wp-(?:content|includes)\//.exec(each)?.[1],
  );
  const own = files.find((root) => root !== undefined && originOf(root) === originOf(url));
  return (api ?? own ?? originOf(url)).replace(/\/$/, '');
}

const apiOf = ({ links }: PageSurvey): string | undefined => links.find(({ rel }) => rel === 'https://api.w.org/')?.url;

const SQUARESPACE_LIST =
  /\b(?:eventlist|events-stacked|sqs-events-collection|yui3-calendar|eventitem-list|collection-type-events)|"typeName"\s*:\s*"events/;
/** The pages of the program itself, and not those that show a part of it. */
const LOCALIST_OWN = /id="lc-app"|content="localist/i;
const localistDoors = (origin: string) => [['localist', `${origin}/api/2/events`] as const, ical(`${origin}/calendar.ics`)];
const hasLocalistFeed = ({ links }: PageSurvey): boolean => links.some(({ url }) => /\/calendar\/1\.(?:xml|ics)$/.test(url));
