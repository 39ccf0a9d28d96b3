/** How complete and how fresh the directory is, as its public page shows it. */

import type { Coverage } from '../../records/index.ts';
import type { SourceFreshness } from '../../status/index.ts';

export interface DataQuality extends Coverage {
  /** Possible duplicates that wait for a person. `isMore`: they were not counted to the end. */
  questions: { total: number; isMore: boolean };
  /** Problems that readers reported and nobody has answered. */
  reports: number;
  /** The oldest first; null: not known right now. */
  sources: SourceFreshness[] | null;
  /** When it was counted, milliseconds since 1970. */
  at: number;
}
