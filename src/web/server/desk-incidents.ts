/** What an operator writes about incidents. */

import { IMPACTS, type Impact, INCIDENT_STATES, type IncidentState, openIncident, updateIncident } from '../../status/index.ts';
import type { Act } from './desk.ts';
import { unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';

export type IncidentOutcome =
  | { ok: true; done: 'opened' | 'updated' | 'closed' }
  /** `incident`: whose form was rejected; null: the form of a new one. */
  | { ok: false; incident: string | null; error: string; typed: { title: string; message: string } };

export function actOnIncident(act: Act, { store, clocks }: Rooms): Promise<IncidentOutcome> {
  const { text, once, note } = act;
  const place = { db: store.db, now: clocks.directory };
  const typed = { title: text('title'), message: text('message') };
  const refuse = (incident: string | null, error: string): IncidentOutcome => ({ ok: false, incident, error, typed });

  async function open(impact: Impact): Promise<IncidentOutcome> {
    const result = await openIncident(place, { ...typed, impact });
    if (!result.ok) return refuse(null, result.detail);
    await note({ action: 'incident.open', subject: 'incident', subjectId: result.id, detail: { ...typed, impact } });
    return { ok: true, done: 'opened' };
  }

  async function update(id: string, state: IncidentState): Promise<IncidentOutcome> {
    const result = await updateIncident(place, id, { state, message: typed.message });
    if (!result.ok) return refuse(id, result.detail);
    const isOver = state === 'resolved';
    const action = isOver ? 'incident.close' : 'incident.update';
    await note({ action, subject: 'incident', subjectId: id, detail: { state, message: typed.message } });
    return { ok: true, done: isOver ? 'closed' : 'updated' };
  }

  const intent = text('intent');
  const impact = IMPACTS.find((each) => each === text('impact'));
  const state = INCIDENT_STATES.find((each) => each === text('state'));
  if (intent === 'open' && impact) return once(() => open(impact));
  if (intent === 'update' && state) return once(() => update(text('incident'), state));
  throw unknownForm();
}
