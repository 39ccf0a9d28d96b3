/** What managing exports refuses. A sentence is for the person who asked. */

import { refusals } from '../values/refusal.ts';

export type ExportReason = Parameters<typeof refuseExport>[0];

export const refuseExport = refusals({
  tier_required: 'Exports need an active Enterprise plan.',
  unknown_export: 'This export does not exist.',
  unknown_feed: 'This saved query does not exist. Choose another one.',
  unknown_format: 'Choose a format from the list.',
  unknown_columns: 'Choose columns from the list.',
  unknown_repeat: 'Choose once, hourly or daily.',
  too_many_waiting: 'Twenty exports are already waiting or scheduled. Cancel one, or wait until one is ready.',
});
