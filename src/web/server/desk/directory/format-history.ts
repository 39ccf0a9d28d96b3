/** What happened to an event or venue, in sentences. */

import type { HistoryChange, HistoryEntry } from '../../../../curation/index.ts';
import type { Entity, HistoryView } from '../../../model/desk/record.ts';
import { FIELD_FORMS, type FormContext } from './field-forms.ts';

export function formatHistory(entity: Entity, entries: readonly HistoryEntry[], words: FormContext): HistoryView[] {
  return entries.map((entry, index) => {
    const common = { key: `${index}`, at: words.moments.format(entry.at), by: null, note: null, changes: [], act: null };
    if (entry.kind === 'told') return { ...common, what: `${CHANGES[entry.change] ?? entry.change} (change ${entry.seq})` };
    if (entry.kind === 'listed') {
      const run = entry.runKind === 'ingest' ? '' : ' when a run was undone';
      const what = `${entry.source} ${LISTED[entry.what]} “${entry.externalId}”${run}`;
      return { ...common, what, changes: entry.changes.map((change) => formatListed(change, words)) };
    }
    const said = { ...common, by: entry.by || null, note: entry.note };
    if (entry.kind === 'corrected' || entry.kind === 'uncorrected') {
      const changes = entry.changes.filter(({ field }) => field !== HIDDEN);
      const hides = entry.changes.some(({ field }) => field === HIDDEN);
      const undone = entry.kind === 'uncorrected';
      const what = hides ? (undone ? 'Published again' : 'Hidden') : undone ? 'Correction reverted' : 'Corrected';
      return { ...said, what, changes: changes.map((change) => formatField(entity, change, words, undone)) };
    }
    const names = entry.listings.map(({ title, source }) => `“${title}” (${source})`).join(', ');
    const verdict = entry.verdict === 'same' ? 'the same' : 'different';
    const undone = entry.kind === 'undecided';
    const what = undone ? `No longer marked ${verdict}: ${names}` : `Marked ${verdict}: ${names}`;
    return { ...said, what, act: !undone && entry.stands ? entry.act : null };
  });
}

function formatField(entity: Entity, { field, before, after }: HistoryChange, words: FormContext, undone: boolean) {
  const form = FIELD_FORMS[entity][field];
  const print = (value: unknown) => (form && value !== null ? form.print(value, words) : '');
  return { field: form?.label ?? field, before: print(before), after: undone ? 'the value of the sources' : print(after) };
}

function formatListed({ field, before, after }: HistoryChange, words: FormContext) {
  const print = (value: unknown): string => {
    if (value === null) return '';
    if (MOMENTS.has(field) && typeof value === 'number') return words.moments.format(value).text;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  };
  return { field, before: print(before), after: print(after) };
}

const HIDDEN = 'hidden';
const MOMENTS: ReadonlySet<string> = new Set(['startsAt', 'endsAt']);
const MAX_CHARS = 300;
const LISTED = { new: 'listed', changed: 'changed', gone: 'no longer lists', back: 'lists again' } as const;
const CHANGES: Readonly<Record<string, string>> = {
  created: 'Published',
  updated: 'Changed in the directory',
  cancelled: 'Canceled in the directory',
  rescheduled: 'Moved to another time in the directory',
  merged: 'Merged into another record',
  removed: 'Removed from the directory',
};
