/** `itemref` of microdata: properties that stand outside the item to which they belong (HTML §5.2.2). */

import { addProperty, isNode, type Node } from './node.ts';

/** Properties that stand inside one element, without those of items in it. */
export interface ItemFragment {
  properties: { name: string; value: unknown }[];
}

export interface ItemReferral {
  node: Node;
  ids: readonly string[];
}

/** What the items of a page refer to; at most 200. */
export function findReferredIds(html: string, attribute: string): Set<string> {
  const found = new Set<string>();
  const expression = new RegExp(`\\s${attribute}\\s?=\\s?(?:"([^"<>]{1,500})"|'([^'<>]{1,500})'|([^\\s"'<>]{1,100}))`, 'gi');
  for (const [, double, single, bare] of html.matchAll(expression)) {
    for (const id of (double ?? single ?? bare ?? '').split(/\s+/)) if (id !== '' && found.size < MAX_IDS) found.add(id);
  }
  return found;
}

/** An item that belongs to several is given to each by reference: so no two can hold each other. */
export function mergeReferred(referrals: readonly ItemReferral[], fragments: ReadonlyMap<string, ItemFragment>): void {
  let merged = 0;
  const refer = (node: Node): Node => {
    node['@id'] ??= `_:item${merged}`;
    return { '@id': node['@id'] };
  };
  for (const { node, ids } of referrals)
    for (const { name, value } of new Set(ids).values().flatMap((id) => fragments.get(id)?.properties ?? []))
      if (merged++ < MAX_MERGED) addProperty(node, name, isNode(value) ? refer(value) : value);
}

const MAX_IDS = 200;
/** Properties on one page. */
const MAX_MERGED = 50_000;
