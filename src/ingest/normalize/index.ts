// From what strangers say to facts. Untrusted listings enter; normalized ones leave, or a refusal with its field and reason.
// Pure functions: the same listing is always understood the same way, whatever else is known.
// The rules and their tables of words are described in docs/normalizing.md.
export {
  type CityFacts,
  MENDS,
  type NormalContext,
  type NormalEvent,
  type NormalizedEvent,
  type NormalVenue,
  REFUSALS,
} from './model.ts';
export { normalizeEvent, normalizeVenue } from './normalize-event.ts';
