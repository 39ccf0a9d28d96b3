/** Every kind of source, in the order in which a person is told of them. */

import { csv, json } from './mapped.ts';
import type { Provider } from './provider.ts';

export const PROVIDERS: readonly Provider[] = [json, csv];
export const PROVIDER_KINDS: readonly string[] = PROVIDERS.map(({ kind }) => kind);
