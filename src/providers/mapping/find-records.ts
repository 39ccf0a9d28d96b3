/** The records of a JSON document, by the paths of a mapping. */

import { ProviderError } from '../provider-error.ts';
import type { Mapping } from './mapping.ts';

/**
 * With `each` a record counts once for each element of its list, which rules then find under `each`; one without such a list, or with an
 * empty one, counts as it is. Throws a `ProviderError` where there is no list of records.
 */
export function findRecords(document: unknown, { records: path, each }: Pick<Mapping, 'records' | 'each'>): unknown[] {
  const records = follow(document, path);
  if (!Array.isArray(records)) {
    throw new ProviderError('not_of_the_kind', `the document has no list at ${path === '' ? 'its top' : JSON.stringify(path)}`);
  }
  if (each === null) return records;
  return records.flatMap((record) => {
    const parts = follow(record, each);
    return Array.isArray(parts) && parts.length > 0 ? parts.map((part) => ({ ...record, each: part })) : [record];
  });
}

/** The JSON of `var events = […];`, as pages include their data. What is no assignment stays as it is. */
export function unwrapAssignment(text: string): string {
  return text.replace(ASSIGNMENT, '').replace(/;?\s*$/, '');
}

function follow(value: unknown, path: string): unknown {
  const steps = path === '' ? [] : path.split('.');
  return steps.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? (found as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}

const ASSIGNMENT = /^\ufeff?\s*(?:(?:var|let|const)\s+)?[A-Za-z_$][\w$.]{0,100}\s*=\s*/;
