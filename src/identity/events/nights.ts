/** The night an event belongs to. */

import { DAY_MS } from '../../values/duration.ts';
import type { EventFacts } from '../model.ts';
import { correctedStart, NO_CLOCKS, type ProviderClocks } from './clocks.ts';

/**
 * The local day of the start as it is to be read, `YYYY-MM-DD`, where a day ends at five in the morning: a party at 00:30 belongs to
 * the evening before. Where no hour is known it is the day as printed. Two listings of different nights are never the same.
 */
export function nightOf(fact: EventFacts, clocks: ProviderClocks = NO_CLOCKS): string {
  const { localStart, precision } = correctedStart(fact, clocks);
  const day = localStart.slice(0, 10);
  if (precision !== 'time' || Number(localStart.slice(11, 13)) >= HOUR_OF_NEW_DAY) return day;
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

const HOUR_OF_NEW_DAY = 5;
