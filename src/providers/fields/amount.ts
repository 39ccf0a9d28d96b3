/** Amounts of money as providers write them. */

/** `12.5`, `"$12.50"`, `"1,250.00 USD"`, `"38,27 $"`; null for prose. Three digits after a comma are thousands. */
export function readAmount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const match = typeof value === 'string' ? AMOUNT.exec(value) : null;
  const [, whole, point, comma] = match ?? [];
  return whole === undefined ? null : Number(`${whole.replace(/[^\d-]/g, '')}.${point ?? comma ?? '0'}`);
}

const AMOUNT =
  /^\s*\p{Sc}?\s?(-?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:[.\s]\d{3})+(?=,)|\d{1,12}))(?:\.(\d{1,6})|,(\d{1,2}))?\s?(?:\p{Sc}|[A-Z]{3})?\s*$/u;
