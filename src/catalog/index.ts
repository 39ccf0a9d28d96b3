// The directory: cities, neighborhoods, venues, events, their slugs, and the numbered list of changes.
// Parsed, trusted values enter; rows and numbered changes leave. Others follow the changes, nobody is called.
export { type CityTime, createCityTime } from './city-time.ts';
export * from './model.ts';
