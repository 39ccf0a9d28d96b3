/** The record that an id or the address of its page names. */

import type { RecordLookup } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { mistake, type ToolMistake, type ToolPlace } from './tool.ts';

export type FoundRecord = { item: number } | ToolMistake;

export function findRecord(kind: 'event' | 'venue', values: JsonObject, place: ToolPlace): FoundRecord {
  const { id, url } = values;
  const search = kind === 'event' ? 'search_events' : 'search_venues';
  if (id === undefined && url === undefined) return mistake(`give id or url, as ${search} returned them`);
  const { snapshot, now } = place;
  const look = (uuid: string): RecordLookup => (kind === 'event' ? snapshot.event(uuid) : snapshot.venue(uuid, now));
  const [uuid] = UUID.exec(String(id ?? url)) ?? [];
  if (uuid !== undefined) return follow(kind, look(uuid.toLowerCase()), look, search);
  const slug = slugOf(String(url ?? id));
  const item = kind === 'event' ? snapshot.eventBySlug(slug) : snapshot.venueBySlug(slug);
  if (item !== null) return { item };
  const other = kind === 'event' ? snapshot.venueBySlug(slug) : snapshot.eventBySlug(slug);
  if (other !== null)
    return mistake(`that is ${kind === 'event' ? 'a venue; call get_venue' : 'an event; call get_event'} with the same url`);
  return mistake(`no ${kind} is known as "${String(id ?? url).slice(0, MAX_SHOWN)}"; call ${search} with q to find its id`);
}

function follow(kind: string, lookup: RecordLookup, look: (uuid: string) => RecordLookup, search: string): FoundRecord {
  if (lookup.found === 'published') return { item: lookup.item };
  if (lookup.found === 'merged') {
    const survivor = look(lookup.into);
    return survivor.found === 'published' ? { item: survivor.item } : mistake(`the ${kind} was removed`);
  }
  if (lookup.found === 'removed') return mistake(`the ${kind} was removed by its source; call ${search} to find another one`);
  return mistake(`no ${kind} has this id; ids are never guessed, call ${search} to find it`);
}

/** The last segment of a page's address, or the text itself. */
function slugOf(text: string): string {
  const path = text.split(/[?#]/, 1)[0] ?? '';
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const MAX_SHOWN = 64;
