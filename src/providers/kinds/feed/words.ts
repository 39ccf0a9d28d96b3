/**
 * What extensions of feeds call things, in small letters and without signs, whatever the namespace: RSS 1.0 module Event
 * (`ev:startdate`), xCal and RFC 6321 (`dtstart`), city parks (`startdate` with `starttime`), ticket sellers (`start_date`), GeoRSS and
 * W3C Geo, and the elements of programs: CivicPlus (`EventDates`, `EventTimes`), Modern Events Calendar (`startHour`), LibCal (`date` with
 * `start`), Localist, Trumba, Google (`when` with attributes). Of several, the first. docs/providers.md lists them.
 */
export const FEED_WORDS = {
  start: [
    ...['startdate', 'dtstart', 'startdatetime', 'start', 'starttime', 'startsat', 'eventstart', 'eventstartdate', 'localstart'],
    ...['eventdates', 'eventdate', 'eventdatetime', 'begindate', 'begin', 'datestart', 'startson', 'localtime', 'when', 'date'],
    ...['formatteddatetime'],
  ],
  startTime: ['starttime', 'eventstarttime', 'starthour', 'eventtimes', 'eventtime', 'begintime', 'start', 'times', 'time'],
  end: [
    ...[
      'enddate',
      'dtend',
      'enddatetime',
      'end',
      'endtime',
      'endsat',
      'eventend',
      'eventenddate',
      'localend',
      'dateend',
      'endson',
    ],
  ],
  endTime: ['endtime', 'eventendtime', 'endhour', 'end'],
  venue: ['location', 'venue', 'venuename', 'locationname', 'place', 'eventlocation', 'eventvenue', 'where', 'campus'],
  address: ['address', 'streetaddress', 'locationaddress', 'venueaddress'],
  park: ['parknames', 'parkname'],
  point: ['point', 'pos', 'coordinates', 'geo'],
  latitude: ['lat', 'latitude'],
  longitude: ['long', 'lon', 'lng', 'longitude'],
  categoryWords: ['category', 'categories', 'subject', 'type', 'eventtype', 'tags'],
  price: [
    'price',
    'cost',
    'ticketprice',
    'admission',
    'lowprice',
    'minprice',
    'highprice',
    'maxprice',
    'xcost',
    'eventcost',
    'tickets',
  ],
  isFree: ['isfree', 'free'],
  status: ['status', 'eventstatus'],
  performers: ['performer', 'performers', 'artist', 'artists'],
  organizer: ['organizer', 'organiser'],
} as const;
