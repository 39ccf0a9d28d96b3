/** Which nodes of a page's JSON-LD are events to be listed. */

import { type Graph, get, isNode, listOf, type Node, nodesOf, typesOf } from './node.ts';
import { isEventType } from './vocabulary.ts';

export interface EventNode {
  node: Node;
  /** What it is a part of, the nearest first: it says what the part leaves out. */
  wholes: readonly Node[];
}

/**
 * Events wherever they stand: at the top, in a `@graph`, in lists, inside a page, a place or a list of search results. An event with
 * dated parts (`subEvent`, or `superEvent` the other way round) is listed as its parts and not as well; parts without a date of an
 * event without dated ones are its programme and not listed.
 */
export function findEvents(documents: readonly unknown[], graph: Graph): EventNode[] {
  const events = new Set<Node>();
  for (const node of nodesOf(documents)) if (isEvent(node)) events.add(fullest(node, graph));
  const wholeOf = new Map<Node, Node>();
  const unlisted = new Set<Node>();
  for (const node of events) {
    const parts = partsOf(node, graph);
    const dated = parts.filter((part) => part !== node && isDated(part));
    for (const part of dated) {
      events.add(part);
      wholeOf.set(part, node);
    }
    if (dated.length > 0) unlisted.add(node);
    else for (const part of parts) unlisted.add(part);
    const whole = wholeNamedBy(node, graph);
    if (!whole) continue;
    if (!wholeOf.has(node)) wholeOf.set(node, whole);
    unlisted.add(whole);
  }
  return [...events].filter((node) => !unlisted.has(node)).map((node) => ({ node, wholes: wholesOf(node, wholeOf) }));
}

function partsOf(node: Node, graph: Graph): Node[] {
  return PARTS.flatMap((key) => listOf(get(node, key)).map((part) => graph.resolve(part))).filter(isNode);
}

/** What a dated event says that it is a part of. */
function wholeNamedBy(node: Node, graph: Graph): Node | null {
  const whole = listOf(get(node, 'superEvent')).map((each) => graph.resolve(each))[0];
  return isNode(whole) && whole !== node && isDated(node) ? whole : null;
}

function wholesOf(node: Node, wholeOf: ReadonlyMap<Node, Node>): Node[] {
  const wholes: Node[] = [];
  let whole = wholeOf.get(node);
  while (whole !== undefined && whole !== node && wholes.length < MAX_WHOLES && !wholes.includes(whole)) {
    wholes.push(whole);
    whole = wholeOf.get(whole);
  }
  return wholes;
}

/** A page may mention an event by id and name here and tell all about it there. */
function fullest(node: Node, graph: Graph): Node {
  if (isDated(node) || node['@id'] === undefined) return node;
  const full = graph.resolve({ '@id': node['@id'] });
  return isNode(full) && isEvent(full) && isDated(full) ? full : node;
}

function isEvent(node: Node): boolean {
  return typesOf(node).some(isEventType);
}

function isDated(node: Node): boolean {
  return get(node, 'startDate') !== undefined || get(node, 'eventSchedule') !== undefined;
}

const PARTS = ['subEvent', 'subEvents'] as const;
const MAX_WHOLES = 8;
