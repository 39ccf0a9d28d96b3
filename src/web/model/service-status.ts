/** How the service is doing, as its public page shows it. */

import type { StatusReport } from '../../status/index.ts';

export type PublicStatus = StatusReport;
