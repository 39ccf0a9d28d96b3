/** The fields of a venue in a mapping. */

import { type PlaceHint, VENUE_LISTING, type VenueListing, venueListing } from '../listing.ts';
import { capacityField, emptiedFields, plainFields, pointField, type RuleSet, readOver, textField } from './field-readers.ts';
import { knownKeys, list, MappingError } from './rules.ts';

/** `isOver`: the mapping lies over listings, so that it needs no name. What no rule finds stays as `listing` has it. */
export function compileVenue(
  value: unknown,
  at: string,
  { isOver }: { isOver: boolean },
): (record: unknown, listing: VenueListing) => VenueListing {
  const keys = knownKeys(value, at, VENUE_KEYS);
  if (keys.name === undefined && !isOver) throw new MappingError(`${at}.name`, 'wanted a rule, got nothing');
  const rules: RuleSet = { keys, at };
  const point = pointField(rules);
  const locate =
    keys.locate === undefined
      ? []
      : list(keys.locate, `${at}.locate`).map((hint, index) => compileHint(hint, `${at}.locate[${index}]`));
  const { latitude: _, longitude: __, ...plain } = plainFields(rules, VENUE_LISTING);
  const readers = { ...plain, capacity: capacityField(rules, 'capacity') };
  const emptied = emptiedFields(rules, venueListing({}));
  return (record, listing) => {
    const known = emptied(listing);
    const place = point(record) ?? known;
    const hints = locate.flatMap((hint) => hint(record) ?? []);
    return venueListing({
      ...readOver(readers, record, known),
      latitude: place.latitude,
      longitude: place.longitude,
      hints: hints.length > 0 ? hints : known.hints,
    });
  };
}

function compileHint(value: unknown, at: string): (record: unknown) => PlaceHint | null {
  const keys = knownKeys(value, at, ['venue', 'neighborhood', 'point']);
  for (const kind of ['venue', 'neighborhood'] as const) {
    if (keys[kind] === undefined) continue;
    const read = textField({ keys, at }, kind);
    return (record) => {
      const name = read(record);
      return name === null ? null : { kind, name };
    };
  }
  const read = pointField({ keys, at });
  return (record) => {
    const point = read(record);
    return point && { kind: 'point', ...point };
  };
}

/** A point may be one value, and hints are found by rules of their own. */
export const VENUE_KEYS: readonly string[] = Object.keys(VENUE_LISTING).flatMap((field) => {
  if (field === 'longitude') return [field, 'point'];
  return field === 'hints' ? ['locate'] : [field];
});
