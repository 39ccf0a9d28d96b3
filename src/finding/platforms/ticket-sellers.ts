/** Sites where others than the venue list its events: each list is a source of its own. */

import { jsonld, type Platform } from './platform.ts';

export const TICKET_SELLERS: readonly Platform[] = (
  [
    ['eventbrite', /^https?:\/\/(?:www\.)?eventbrite\.(?:com?(?:\.\w\w)?|\w\w)\/(?:o|cc)\/[\w.%-]+/i],
    ['songkick', /^https?:\/\/(?:www\.)?songkick\.com\/(?:venues|artists)\/\d+[\w-]*/i],
    ['bandsintown', /^https?:\/\/(?:www\.)?bandsintown\.com\/(?:v|a)\/\d+[\w%-]*/i],
    ['dice', /^https?:\/\/(?:www\.)?dice\.fm\/(?:venue|promoters)\/[\w-]+/i],
    ['resident-advisor', /^https?:\/\/(?:\w+\.)?ra\.co\/(?:clubs|promoters)\/\d+/i],
    ['allevents', /^https?:\/\/(?:www\.)?allevents\.in\/org\/[\w-]+\/\d+/i],
    ['tixr', /^https?:\/\/(?:www\.)?tixr\.com\/groups\/[\w-]+/i],
    ['ticket-tailor', /^https?:\/\/(?:www\.)?(?:tickettailor\.com\/events|buytickets\.at)\/[\w-]+/i],
    ['humanitix', /^https?:\/\/events\.humanitix\.com\/host\/[\w-]+/i],
    ['see-tickets', /^https?:\/\/(?:wl\.)?seetickets\.us\/(?:wafform|venue)\/[\w-]+/i],
    ['eventim', /^https?:\/\/(?:www\.)?eventim\.(?:de|at|ch)\/(?:venue|city|artist)\/[\w/-]+/i],
    ['reservix', /^https?:\/\/(?:www\.)?reservix\.de\/(?:tickets-)?(?:venue|veranstaltungsort)[\w/-]+/i],
  ] as const
).map(([name, address]) => ({ name, address, isThirdParty: true, find: ([url]) => ({ doors: [jsonld(url)] }) }));
