/** JSON to be read by people: what fits on a line stands on one line. */
export function formatJson(value: unknown, width = 88, indent = 0): string {
  const line = oneLine(value);
  if (line.length + indent <= width || typeof value !== 'object' || value === null) return line;
  const inner = ' '.repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((each) => formatJson(each, width, indent + 2))
    : Object.entries(value).map(([name, each]) => {
        const head = `${JSON.stringify(name)}: `;
        return head + formatJson(each, width - head.length, indent + 2);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** The same in colours, which say nothing that the text does not. */
export function JsonText({ text }: { text: string }) {
  if (text.length > LONGEST_COLOURED) return text;
  let at = 0;
  return text.split(TOKEN).map((part) => {
    const key = at;
    at += part.length;
    const kind = kindOf(part);
    return kind === null ? (
      part
    ) : (
      <span key={key} className={kind}>
        {part}
      </span>
    );
  });
}

function kindOf(part: string): string | null {
  if (part.endsWith(':')) return 'json-name';
  if (part.startsWith('"')) return 'json-text';
  return /^(?:-?\d|true|false|null)/.test(part) ? 'json-value' : null;
}

const TOKEN = /("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/;
/** Beyond, the spans would cost more than the colours are worth. */
const LONGEST_COLOURED = 60_000;
