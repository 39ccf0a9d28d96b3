/** The bill of materials of the package: what npm lists for the project, without what only builds it. */

interface Component {
  'bom-ref': string;
}

export interface BillOfMaterials {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** `builders`: names of dependencies that stay behind. Gives a bill of the same form (CycloneDX). */
export function withoutBuilders<Bill extends BillOfMaterials>(bill: Bill, builders: readonly string[]): Bill {
  const own = bill.metadata.component['bom-ref'];
  const isBuilder = (ref: string) => builders.some((name) => ref.startsWith(`${name}@`));
  const needed = new Map(bill.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  needed.set(
    own,
    (needed.get(own) ?? []).filter((ref) => !isBuilder(ref)),
  );
  const kept = new Set<string>();
  const waiting = [own];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (kept.has(ref)) continue;
    kept.add(ref);
    waiting.push(...(needed.get(ref) ?? []));
  }
  return {
    ...bill,
    components: bill.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: [...needed].filter(([ref]) => kept.has(ref)).map(([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}
