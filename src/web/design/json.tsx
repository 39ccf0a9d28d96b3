/** JSON in colors, which say nothing that the text does not. */
export function JsonText({ text }: { text: string }) {
  if (text.length > MAX_COLORED_CHARS) return text;
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
/** Beyond, the spans would cost more than the colors are worth. */
const MAX_COLORED_CHARS = 60_000;
