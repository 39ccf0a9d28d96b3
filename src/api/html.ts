/** HTML as a tagged template in which every value is escaped, unless it is HTML already. */

export interface Html {
  readonly text: string;
}

export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  return { text: parts.map((part, i) => part + (i < values.length ? print(values[i] ?? '') : '')).join('') };
}

/** Text of our own that needs no escaping. */
export function raw(text: string): Html {
  return { text };
}

function print(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('text' in value) return value.text;
  return value.map(({ text }) => text).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
