// The test city: Port Alder as test keys read it, beside the directory and without the database.
// A moment enters; a read model and a log of changes leave.
// Its calendar is always the same, and moves on by seven days each Monday.
export { openTestCity, type TestCity, type TestCityView } from './open-test-city.ts';
