/**
 * What extensions of feeds call things, in small letters and without signs, whatever the namespace: RSS 1.0 module Event
 * (`ev:startdate`), xCal and RFC 6321 (`dtstart`), city parks (`startdate` with `starttime`), ticket sellers (`start_date`), GeoRSS and
 * W3C Geo. Of several, the first. docs/providers.md lists them.
 */
export const FEED_WORDS = {
  start: [
    'startdate',
    'dtstart',
    'startdatetime',
    'start',
    'starttime',
    'startsat',
    'eventstart',
    'eventstartdate',
    'localstart',
  ],
  startTime: ['starttime', 'eventstarttime'],
  end: ['enddate', 'dtend', 'enddatetime', 'end', 'endtime', 'endsat', 'eventend', 'eventenddate', 'localend'],
  endTime: ['endtime', 'eventendtime'],
  venue: ['location', 'venue', 'venuename', 'locationname', 'place'],
  address: ['address', 'streetaddress', 'locationaddress', 'venueaddress'],
  park: ['parknames', 'parkname'],
  point: ['point', 'pos', 'coordinates', 'geo'],
  latitude: ['lat', 'latitude'],
  longitude: ['long', 'lon', 'lng', 'longitude'],
  categoryWords: ['category', 'categories', 'subject', 'type', 'eventtype', 'tags'],
  price: ['price', 'cost', 'ticketprice', 'admission', 'lowprice', 'minprice', 'highprice', 'maxprice', 'xcost'],
  isFree: ['isfree', 'free'],
  status: ['status', 'eventstatus'],
  performers: ['performer', 'performers', 'artist', 'artists'],
  organizer: ['organizer', 'organiser'],
} as const;
