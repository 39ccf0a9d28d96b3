// How an operator begins. The name of a city, a few facts and an extract of OpenStreetMap enter.
// The city, its neighborhoods and a source of its venues leave. What is missing or wrong is one sentence.
// Files of extracts are untrusted.
export { type CityFact, type CityInput, countryOfZone, describeCity, zoneAt } from './city-facts.ts';
export { createCity } from './create-city.ts';
export { type DiscoveredSite, discoverSources } from './discover-sources.ts';
export { type CityExtract, readExtract } from './read-extract.ts';
export { openExtract } from './read-overpass.ts';
