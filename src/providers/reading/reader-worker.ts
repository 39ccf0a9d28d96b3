/** A process that reads answers. Started by URL; talks in `ReaderOrder`s and `ReaderReport`s. */

import { PROVIDERS } from '../providers.ts';
import { serveReads } from './serve-reads.ts';

serveReads(PROVIDERS);
