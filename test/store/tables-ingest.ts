/** The columns of the tables of what people decide: a part of `TABLES`. */

import type { SelectType } from 'kysely';
import type { Database } from '../../src/store/index.ts';
import type { Column } from './tables.ts';

type DecisionTable = 'question' | 'decision' | 'correction' | 'co_listing' | 'place_answer';

export const DECISION_TABLES: { [T in DecisionTable]: { [C in keyof Database[T]]-?: Column<SelectType<Database[T][C]>> } } = {
  question: {
    id: 'uuid',
    kind: 'text',
    left_id: 'uuid',
    right_id: 'uuid',
    score: 'float4',
    evidence: 'jsonb',
    asked_at: 'timestamptz',
    settled_at: 'timestamptz or null',
  },
  decision: {
    id: 'uuid',
    kind: 'text',
    left_id: 'uuid',
    right_id: 'uuid',
    verdict: 'text',
    decided_by: 'text',
    decided_at: 'timestamptz',
    revoked_at: 'timestamptz or null',
    note: 'text or null',
    act_id: 'uuid or null',
    revoked_act: 'uuid or null',
    is_pending: 'bool',
  },
  correction: {
    id: 'uuid',
    entity: 'text',
    target_id: 'uuid',
    field: 'text',
    value: 'jsonb',
    before: 'jsonb',
    made_by: 'text',
    made_at: 'timestamptz',
    note: 'text or null',
    revoked_at: 'timestamptz or null',
    revoked_by: 'text or null',
  },
  place_answer: {
    id: 'uuid',
    name: 'text',
    name_key: 'text',
    act: 'text',
    venue_id: 'uuid or null',
    address: 'text or null',
    latitude: 'float8 or null',
    longitude: 'float8 or null',
    is_exact: 'bool',
    decided_by: 'text',
    decided_at: 'timestamptz',
    revoked_at: 'timestamptz or null',
    venue_name: 'text or null',
  },
  co_listing: {
    left_id: 'uuid',
    right_id: 'uuid',
    night: 'date',
    starts_at: 'timestamptz',
    title: 'text',
    kinship: 'text',
    is_contradicted: 'bool',
  },
};
