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
  unknown_format: 'Choose one of the formats of the list.',
  unknown_columns: 'Choose columns of the list.',
  unknown_repeat: 'An export is made once, hourly or daily.',
  too_many_waiting: 'Twenty exports are waiting or scheduled already. Cancel one, or wait until one is ready.',
} as const;
