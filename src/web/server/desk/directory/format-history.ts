/** What happened to an event or venue, in sentences. */

import type { HistoryChange, HistoryEntry, ListedValue } from '../../../../ingest/index.ts';
import type { StartPrecision } from '../../../../records/index.ts';
import type { Entity, HistoryView } from '../../../model/desk/record.ts';
import { FIELD_FORMS, type FormContext } from './field-forms.ts';

export function formatHistory(entity: Entity, entries: readonly HistoryEntry[], context: FormContext): HistoryView[] {
  return entries.map((entry, index) => {
    const plain = { key: `${index}`, at: context.moments.format(entry.at), by: null, note: null, changes: [], act: null };
    return { ...plain, ...formatEntry(entity, entry, context) };
  });
}

function formatEntry(entity: Entity, entry: HistoryEntry, context: FormContext): EntryText {
  switch (entry.kind) {
    case 'told':
      return { what: `${CHANGES[entry.change] ?? entry.change} (change ${entry.seq})` };
    case 'listed':
      return formatListing(entry, context);
    case 'corrected':
    case 'uncorrected':
      return formatCorrection(entity, entry, context);
    case 'decided':
    case 'undecided':
      return formatDecision(entry);
  }
}

type EntryText = Pick<HistoryView, 'what'> & Partial<HistoryView>;
type EntryOf<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>;

function formatListing({ source, what, externalId, runKind, changes }: EntryOf<'listed'>, context: FormContext): EntryText {
  const run = runKind === 'ingest' ? '' : ' when a run was undone';
  return {
    what: `${source} ${LISTED[what]} “${externalId}”${run}`,
    changes: changes.map((change) => formatListed(change, context)),
  };
}

function formatCorrection(
  entity: Entity,
  { kind, by, note, changes }: EntryOf<'corrected' | 'uncorrected'>,
  context: FormContext,
): EntryText {
  const undone = kind === 'uncorrected';
  const hides = changes.some(({ field }) => field === HIDDEN);
  const shown = changes.filter(({ field }) => field !== HIDDEN);
  return {
    by: by || null,
    note,
    what: CORRECTIONS[hides ? 'hidden' : 'values'][kind],
    changes: shown.map((change) => formatField(entity, change, context, undone)),
  };
}

function formatDecision({ kind, by, note, verdict, listings, stands, act }: EntryOf<'decided' | 'undecided'>): EntryText {
  const names = listings.map(({ title, source }) => `“${title}” (${source})`).join(', ');
  const marked = verdict === 'same' ? 'the same' : 'different';
  const undone = kind === 'undecided';
  return {
    by: by || null,
    note,
    what: undone ? `No longer marked ${marked}: ${names}` : `Marked ${marked}: ${names}`,
    act: !undone && stands ? act : null,
  };
}

function formatField(entity: Entity, { field, before, after }: HistoryChange, context: FormContext, undone: boolean) {
  const form = FIELD_FORMS[entity][field];
  const print = (value: unknown) => (form && value !== null ? form.print(value, context) : '');
  return { field: form?.label ?? field, before: print(before), after: undone ? 'the value of the sources' : print(after) };
}

function formatListed({ field, before, after, precision }: ListedValue, { moments }: FormContext) {
  const print = (value: unknown, hour: StartPrecision = 'time'): string => {
    if (value === null) return '';
    if (field === 'startsAt' && typeof value === 'number') return moments.start(value, hour).text;
    if (field === 'endsAt' && typeof value === 'number') return moments.end(value, hour).text;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  };
  return { field, before: print(before, precision?.before), after: print(after, precision?.after) };
}

const HIDDEN = 'hidden';
const CORRECTIONS = {
  hidden: { corrected: 'Hidden', uncorrected: 'Published again' },
  values: { corrected: 'Corrected', uncorrected: 'Correction reverted' },
} as const;
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
