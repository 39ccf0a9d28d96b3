/** The change log of the test city: every record was created as the week began, then some events changed. Nothing comes after that. */

import type { Change, NumberedChange } from '../catalog/index.ts';
import type { Snapshot } from '../search/index.ts';
import { testId } from './test-id.ts';

/** `at`: when everything happened, milliseconds. */
export function logOf(snapshot: Snapshot, at: number): NumberedChange[] {
  const changes: Change[] = [
    ...snapshot.neighborhoods(at).items.map(({ slug }) => created('neighborhood', testId('neighborhood', slug))),
    ...idsOf(snapshot, 'venue').map((id) => created('venue', id)),
    ...idsOf(snapshot, 'event').map((id) => created('event', id)),
    ...idsOf(snapshot, 'event').flatMap((id) => changeOf(snapshot, id)),
  ];
  return changes.map((change, index) => ({ ...change, seq: index + 1, at }));
}

const created = (entity: Change['entity'], entityId: string): Change => ({ kind: 'created', entity, entityId });

function idsOf(snapshot: Snapshot, kind: 'event' | 'venue'): string[] {
  const list = snapshot.records(kind);
  return Array.from({ length: list.count }, (_, n) => list.id(n));
}

function changeOf(snapshot: Snapshot, id: string): Change[] {
  const found = snapshot.event(id);
  if (found.found !== 'published') return [];
  const { status } = snapshot.lifecycle(found.item);
  const kind = status === 'cancelled' || status === 'rescheduled' ? status : status === 'postponed' ? 'updated' : null;
  return kind ? [{ kind, entity: 'event', entityId: id, previous: { status: 'scheduled' } }] : [];
}
