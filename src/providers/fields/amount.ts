/** Amounts of money as providers write them. */

/** `12.5`, `"$12.50"`, `"1,250.00 USD"`; null for prose. */
export function readAmount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const match = typeof value === 'string' ? AMOUNT.exec(value) : null;
  return match?.[1] === undefined ? null : Number(match[1].replaceAll(',', ''));
}

const AMOUNT = /^\s*\p{Sc}?\s?(-?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,6})?)\s?(?:\p{Sc}|[A-Z]{3})?\s*$/u;
