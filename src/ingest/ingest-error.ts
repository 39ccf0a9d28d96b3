/** What stops a whole run. The message is one sentence for the operator. */

import { ExpectedError } from '../values/expected-error.ts';

export type IngestErrorCode =
  | 'answer_unknown'
  | 'bundle_unreadable'
  | 'city_invalid'
  | 'city_missing'
  | 'decision_unknown'
  | 'directory_busy'
  | 'neighborhoods_invalid'
  | 'name_invalid'
  | 'note_invalid'
  | 'place_unknown'
  | 'question_settled'
  | 'record_unknown'
  | 'run_not_undoable'
  | 'run_superseded'
  | 'run_unknown'
  | 'source_unknown'
  | 'source_unreadable'
  | 'store_refused';

export class IngestError extends ExpectedError {
  declare readonly code: IngestErrorCode;

  constructor(code: IngestErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = 'IngestError';
  }
}
