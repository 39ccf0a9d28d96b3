/** Names as the people of a city sort them. */

/** Decisions §2, "Order". A locale that the runtime does not know is read as none. */
export function createNameOrder(locale: string): (a: string, b: string) => number {
  const collator = new Intl.Collator(isLocale(locale) ? locale : 'und');
  return (a, b) => collator.compare(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
