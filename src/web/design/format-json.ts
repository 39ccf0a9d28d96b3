/**
 * JSON to be read by people: what fits on a line of `width` stands on one line. `indent` and `head`: what stands before it there, of which
 * only the first is before its further lines.
 */
export function formatJson(value: unknown, width = 88, indent = 0, head = 0): string {
  const line = oneLine(value);
  if (indent + head + line.length <= width || typeof value !== 'object' || value === null) return line;
  const inner = indent + 2;
  const parts = Array.isArray(value)
    ? value.map((each) => formatJson(each, width, inner))
    : Object.entries(value).map(([name, each]) => {
        const before = `${JSON.stringify(name)}: `;
        return before + formatJson(each, width, inner, before.length);
      });
  if (parts.length === 0) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => ' '.repeat(inner) + part).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
