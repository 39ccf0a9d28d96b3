/** Entries of the audit log as text. */

import type { AuditRow } from '../../accounts/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { MomentFormat } from './desk.ts';

export function viewEntry(
  { id, at, actorId, actor, action, subject, subjectId, detail, address }: AuditRow,
  moments: MomentFormat,
) {
  return {
    id,
    actorId,
    actor,
    action,
    subject,
    subjectId,
    address,
    at: moments.format(at.getTime()),
    detail: Object.entries(detail)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ({ name, value: formatValue(value) })),
  };
}

/** The page of the desk that shows what an entry is about. */
export function pageOfSubject({ subject, subjectId }: Pick<AuditRow, 'subject' | 'subjectId'>): string | null {
  if (!Object.hasOwn(PAGES, subject) || !subjectId || !isUuid(subjectId)) return null;
  return `${PAGES[subject as keyof typeof PAGES]}/${subjectId}`;
}

function formatValue(value: unknown): string {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (parts.length > 0 && parts.every((each) => typeof each !== 'object')) return parts.join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

const PAGES = {
  source: '/desk/sources',
  run: '/desk/runs',
  event: '/desk/events',
  venue: '/desk/venues',
  account: '/desk/accounts',
} as const;
const MAX_VALUE_LENGTH = 400;
