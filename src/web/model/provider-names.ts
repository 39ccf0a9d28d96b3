/** What people call the providers, and which of them sell tickets. */

export interface ProviderName {
  name: string;
  sellsTickets: boolean;
}

/** Of a provider's name in `sources`. Unknown ones are called by their own name, in capitals where it is a slug. */
export function providerName(provider: string): ProviderName {
  const known = PROVIDER_NAMES[provider.toLowerCase().replace(/[\s_]+/g, '-')];
  if (known) return { name: known[0], sellsTickets: known[1] };
  const isSlug = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(provider);
  const name = isSlug
    ? provider.replace(/(?:^|[-_])([a-z0-9])/g, (_, first: string) => ` ${first.toUpperCase()}`).trim()
    : provider;
  return { name, sellsTickets: false };
}

const PROVIDER_NAMES: Readonly<Record<string, readonly [name: string, sellsTickets: boolean]>> = {
  __proto__: null as never,
  ticketmaster: ['Ticketmaster', true],
  seatgeek: ['SeatGeek', false],
  eventbrite: ['Eventbrite', true],
  bandsintown: ['Bandsintown', false],
  songkick: ['Songkick', false],
  dice: ['DICE', true],
  'resident-advisor': ['Resident Advisor', true],
  ra: ['Resident Advisor', true],
  todaytix: ['TodayTix', true],
  axs: ['AXS', true],
  eventim: ['Eventim', true],
  'see-tickets': ['See Tickets', true],
  skiddle: ['Skiddle', true],
  ticketweb: ['TicketWeb', true],
  'ticket-tailor': ['Ticket Tailor', true],
  tixr: ['Tixr', true],
  universe: ['Universe', true],
  shotgun: ['Shotgun', true],
  fever: ['Fever', true],
  meetup: ['Meetup', false],
  openagenda: ['OpenAgenda', false],
  linkedevents: ['Linked Events', false],
  smallslive: ['SmallsLIVE', false],
  smorgasburg: ['Smorgasburg', false],
  'village-vanguard': ['Village Vanguard', false],
  bpl: ['Brooklyn Public Library', false],
  nypl: ['New York Public Library', false],
  cityparks: ['City Parks Foundation', false],
  'nyc-parks': ['NYC Parks', false],
  'nyc-greenmarket': ['GrowNYC Greenmarket', false],
  'nyc-open-data': ['NYC Open Data', false],
};
