/** What managing exports refuses, as values. `detail` is one sentence for the person who asked. */

export interface ExportRefusal {
  ok: false;
  reason: ExportRefusalReason;
  detail: string;
}

export type ExportRefusalReason = keyof typeof SENTENCES;

export function refuseExport(reason: ExportRefusalReason): ExportRefusal {
  return { ok: false, reason, detail: SENTENCES[reason] };
}

const SENTENCES = {
  tier_required: 'Exports need an active Enterprise plan.',
  unknown_export: 'This export does not exist.',
  unknown_feed: 'This saved query does not exist. Choose another one.',
  unknown_format: 'Choose a format from the list.',
  unknown_columns: 'Choose columns from the list.',
  unknown_repeat: 'Choose once, hourly or daily.',
  too_many_waiting: 'Twenty exports are already waiting or scheduled. Cancel one, or wait until one is ready.',
} as const;
