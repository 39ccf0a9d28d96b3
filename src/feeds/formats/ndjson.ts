/** Newline-delimited JSON: each line is one record as the JSON list serves it. */

import type { Form } from './model.ts';

export const ndjson: Form<{ json: string }> = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  separator: '',
  open: () => '',
  // JSON escapes line feeds, so a record never has a line break of its own.
  record: ({ json }) => `${json}\n`,
  close: () => '',
};
