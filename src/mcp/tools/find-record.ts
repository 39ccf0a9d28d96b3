/** The record that an id or the address of its page names. */

import type { RecordLookup } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { type ArgumentReading, readAs, showValue } from './readings.ts';
import { mistake, type ToolMistake, type ToolPlace } from './tool.ts';

/** `readings`: an id or url that was read as another one. */
export type FoundRecord = { item: number; readings: readonly ArgumentReading[] } | ToolMistake;

export function findRecord(kind: 'event' | 'venue', values: JsonObject, place: ToolPlace): FoundRecord {
  const { id, url } = values;
  const search = kind === 'event' ? 'search_events' : 'search_venues';
  if (id === undefined && url === undefined) return mistake(`give id or url, as ${search} returned them`);
  const [found] = UUID.exec(String(id ?? url)) ?? [];
  return found === undefined ? findBySlug(kind, values, place, search) : findById(kind, found.toLowerCase(), values, place);
}

function findById(kind: 'event' | 'venue', uuid: string, { id, url }: JsonObject, place: ToolPlace): FoundRecord {
  const { snapshot, now } = place;
  const look = (each: string): RecordLookup => (kind === 'event' ? snapshot.event(each) : snapshot.venue(each, now));
  const lookup = look(uuid);
  if (lookup.found === 'removed')
    return mistake(`the ${kind} was removed by its source; call search_${kind}s to find another one`);
  if (lookup.found === 'unknown')
    return mistake(`no ${kind} has this id; ids are never guessed, call search_${kind}s to find it`);
  const survivor = lookup.found === 'merged' ? look(lookup.into) : lookup;
  if (survivor.found !== 'published') return mistake(`the ${kind} was removed`);
  const readings: ArgumentReading[] = [];
  if (id !== undefined && id !== uuid) readings.push(readAs('id', id, uuid));
  if (id !== undefined && url !== undefined) readings.push({ name: 'url', given: url, became: 'was left out: id counts' });
  if (lookup.found === 'merged') {
    const [name, given] = id === undefined ? ['url', url] : ['id', id];
    readings.push(readAs(name, given, lookup.into, `: the ${kind} was merged into it`));
  }
  return { item: survivor.item, readings };
}

function findBySlug(kind: 'event' | 'venue', { id, url }: JsonObject, { snapshot }: ToolPlace, search: string): FoundRecord {
  const slug = slugOf(String(url ?? id));
  const event = snapshot.eventBySlug(slug);
  const venue = snapshot.venueBySlug(slug);
  const [item, other] = kind === 'event' ? [event, venue] : [venue, event];
  if (item !== null) return { item, readings: readSlug(id, url, slug) };
  if (other !== null)
    return mistake(`that is ${kind === 'event' ? 'a venue; call get_venue' : 'an event; call get_event'} with the same url`);
  return mistake(`no ${kind} is known as "${String(id ?? url).slice(0, MAX_SHOWN)}"; call ${search} with q to find its id`);
}

/** An address is what `url` is for. */
function readSlug(id: unknown, url: unknown, slug: string): ArgumentReading[] {
  if (id === undefined) return [];
  const became = url === undefined ? `was read as the url that ends in ${showValue(slug)}` : 'was left out: url counts';
  return [{ name: 'id', given: id, became }];
}

/** The last segment of a page's address, or the text itself. */
function slugOf(text: string): string {
  const path = text.split(/[?#]/, 1)[0] ?? '';
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const MAX_SHOWN = 64;
