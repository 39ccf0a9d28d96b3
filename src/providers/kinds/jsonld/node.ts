/** JSON-LD as pages write it: how to ask a node for what it says, whatever way of saying it was chosen. */

export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a schema.org property, by its bare name, its prefixed name or its address; undefined when it says nothing. */
export function get(node: Node, key: string): unknown {
  for (const prefix of PREFIXES) {
    const value = Object.hasOwn(node, prefix + key) ? node[prefix + key] : undefined;
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** A further value of a property, of which the node may have some already. */
export function addProperty(node: Node, key: string, value: unknown): void {
  const before = Object.hasOwn(node, key) ? node[key] : undefined;
  if (before === undefined) node[key] = value;
  else if (Array.isArray(before)) before.push(value);
  else node[key] = [before, value];
}

/** Everything in a value that may be one thing, a list, or a list in a list (`@list` and `@set` of JSON-LD 1.1 §4.3 included). */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(listOf);
  if (isNode(value) && '@list' in value) return listOf(value['@list']);
  if (isNode(value) && '@set' in value) return listOf(value['@set']);
  return value === undefined || value === null ? [] : [value];
}

/** The texts in a value: plain, numbers, or value objects (JSON-LD 1.1 §4.2.1). */
export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((each) => {
    const plain = isNode(each) ? each['@value'] : each;
    const text = typeof plain === 'string' ? plain.trim() : typeof plain === 'number' ? String(plain) : '';
    return text === '' ? [] : [text];
  });
}

export function textOf(value: unknown): string | null {
  return textsOf(value)[0] ?? null;
}

/** Texts, and the names of what has one: `"Ana"` and `{"@type":"Person","name":"Ana"}` are both `Ana`. */
export function namesOf(value: unknown, graph: Graph): string[] {
  const names = listOf(value).flatMap((each) => {
    const said = graph.resolve(each);
    return isNode(said) && !('@value' in said) ? textsOf(get(said, 'name')).slice(0, 1) : textsOf(said);
  });
  return [...new Set(names)];
}

/** Local names of the node's types: `MusicEvent` for `http://schema.org/MusicEvent` and `schema:MusicEvent`. */
export function typesOf(node: Node): string[] {
  return textsOf(node['@type'] ?? node.type).map(localName);
}

/** The last part of an address or prefixed name: `EventCancelled` for `https://schema.org/EventCancelled`. */
export function localName(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('#'), text.lastIndexOf(':')) + 1);
}

/** The node's own id as written; blank nodes (`_:b0`) have none that means anything tomorrow. */
export function idOf(node: Node): string | null {
  const id = textOf(node['@id'] ?? node.id);
  return id === null || id.startsWith('_:') ? null : id;
}

export interface Graph {
  /** The node that a reference (`{"@id": "#place"}`) means, where the document has it; anything else as it is. */
  resolve(value: unknown): unknown;
}

/** Knows every node of a document by its id. Of several with one id the one that says most is taken. Nothing is ever fetched. */
export function createGraph(documents: readonly unknown[]): Graph {
  const known = new Map<string, Node>();
  for (const node of nodesOf(documents)) {
    const id = textOf(node['@id'] ?? node.id);
    if (id === null || isReference(node)) continue;
    const before = known.get(id);
    if (before === undefined || Object.keys(before).length < Object.keys(node).length) known.set(id, node);
  }
  return {
    resolve(value) {
      if (!isNode(value) || !isReference(value)) return value;
      return known.get(textOf(value['@id'] ?? value.id) ?? '') ?? value;
    },
  };
}

/** Every object in a value, outer ones first, in the order of the document. The depth was limited when the text was parsed. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) yield value;
  for (const each of Object.values(value)) yield* nodesOf(each);
}

function isReference(node: Node): boolean {
  return Object.keys(node).every((key) => REFERENCE_KEYS.has(key));
}

const REFERENCE_KEYS: ReadonlySet<string> = new Set(['@id', 'id', '@type', 'type']);
const PREFIXES = ['', 'schema:', 'http://schema.org/', 'https://schema.org/'] as const;
