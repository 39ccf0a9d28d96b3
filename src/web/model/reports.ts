/** A record that somebody wants to report a problem of. */

import type { ProblemKind, ReportedEntity } from '../../reports/index.ts';

export interface ReportedRecord {
  entity: ReportedEntity;
  id: string;
  /** Of its page. */
  path: string;
  title: string;
  /** Of an event, local time. */
  startDatetime: string | null;
  /** The venue of an event, the address of a venue. */
  place: string | null;
  kinds: readonly ProblemKind[];
}

export const reportPath = (entity: ReportedEntity, id: string): string => `/report?${entity}=${id}`;
