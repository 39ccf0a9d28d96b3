// How an operator begins. The name of a city, a few facts and an extract of OpenStreetMap enter.
// The city, its neighborhoods and a source of its venues leave. What is missing or wrong is one sentence.
// Files of extracts are untrusted.
export { type CityFact, type CityInput, countryOfZone, describeCity, parseCenter, zoneAt } from './city-facts.ts';
export { createCity } from './create-city.ts';
export { type DiscoveredSite, discoverSources } from './discover-sources.ts';
export { type CityExtract, openExtract, readExtract } from './read-extract.ts';
