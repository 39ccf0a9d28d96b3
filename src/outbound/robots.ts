/** RFC 9309: what the owner of a site lets programs read. Written for hostile files too: linear in the file, whatever its rules. */

/** Whether a path (with its query) may be read by the program of this name. */
export type Robots = (path: string) => boolean;

interface Rule {
  /** Between its asterisks. */
  parts: readonly string[];
  isAnchored: boolean;
  length: number;
  allows: boolean;
}

/** `name` is the product token, matched without regard to case; the groups of `*` count only where none has the name (§2.2.1). */
export function parseRobots(text: string, name: string): Robots {
  const groups = { own: [] as Rule[], all: [] as Rule[] };
  let hasOwn = false;
  let isFor = { own: false, all: false };
  let inHeader = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [statement = ''] = line.split('#', 1);
    const colon = statement.indexOf(':');
    const field = statement.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = statement.slice(colon + 1).trim();
    if (field === 'user-agent') {
      if (!inHeader) isFor = { own: false, all: false };
      inHeader = true;
      const agent = value.toLowerCase();
      if (agent === '*') isFor.all = true;
      // Some write a version behind the name.
      else if (agent.replace(/[^a-z_-].*$/, '') === name.toLowerCase()) isFor.own = hasOwn = true;
    } else if (field === 'allow' || field === 'disallow') {
      inHeader = false;
      if (value === '' || !(isFor.own || isFor.all)) continue;
      const rule = compile(value, field === 'allow');
      if (isFor.own) groups.own.push(rule);
      if (isFor.all) groups.all.push(rule);
    }
  }
  const rules = hasOwn ? groups.own : groups.all;
  return (path) => {
    const asked = normalize(path);
    let best: Rule | null = null;
    for (const rule of rules) {
      if (best && (rule.length < best.length || (rule.length === best.length && !rule.allows))) continue;
      if (matches(rule, asked)) best = rule;
    }
    return best?.allows ?? true;
  };
}

function compile(value: string, allows: boolean): Rule {
  const isAnchored = value.endsWith('$');
  const pattern = normalize(isAnchored ? value.slice(0, -1) : value);
  return { parts: pattern.split(/\*+/), isAnchored, length: value.length, allows };
}

/** Each part is looked for behind the one before: the first place is as good as any other, so there is nothing to try again. */
function matches({ parts, isAnchored }: Rule, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1;
}

/** §2.2.2: compared as octets, in percent-encoding where they are not plain. */
function normalize(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
    .replace(/%[0-9a-f]{2}/gi, (encoded) => {
      const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(char) ? char : encoded.toUpperCase();
    });
}
