/** Cursors of the change log: `epoch.sequence`, opaque to callers and stable in form. */

import { Type } from 'typebox';
import type { Parameter } from './parameter.ts';

export interface Cursor {
  epoch: string;
  sequence: number;
}

export const formatCursor = ({ epoch, sequence }: Cursor): string => `${epoch}.${sequence}`;

/** Null: not the form of a cursor. */
export function parseCursor(text: string): Cursor | null {
  const [, epoch = '', digits = ''] = CURSOR.exec(text) ?? [];
  return epoch === '' ? null : { epoch, sequence: Number(digits) };
}

export function cursorParameter(description: string): Parameter<Cursor | undefined> {
  return {
    // Without an example: any that stands here is of another history (410).
    schema: Type.String({ pattern: CURSOR.source }),
    description,
    absent: undefined,
    read(text) {
      const value = parseCursor(text);
      if (value) return { ok: true, value };
      return { ok: false, code: 'not_a_cursor', detail: 'must be a cursor as `meta.next` gave it, such as <uuid>.1024' };
    },
  };
}

/** Fifteen digits are exact as a number. */
const CURSOR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9]{1,15})$/;
