/** All experiments by kind, in the order in which they run. */

import { keylessCallers } from './attacks/keyless-callers.ts';
import { minuteKills } from './attacks/minute-kills.ts';
import { proxyVisitor } from './attacks/proxy-visitor.ts';
import { verifyPresses } from './attacks/verify-presses.ts';
import { badDataFolders } from './bad-data-folders.ts';
import { changeLog } from './change-log.ts';
import { clockJumps } from './clock-jumps.ts';
import { damagedDatabase } from './damaged-database.ts';
import { databaseFaults } from './database-faults.ts';
import type { Experiment } from './experiment.ts';
import { failover } from './failover.ts';
import { fuzz } from './fuzz.ts';
import { greedyClients } from './greedy-clients.ts';
import { halfOpenNetwork } from './half-open.ts';
import { keyFlood } from './key-flood.ts';
import { killStorm } from './kill-storm.ts';
import { guessesFromManyNetworks } from './many-networks.ts';
import { pageFlood } from './page-flood.ts';
import { processLoss } from './process-loss.ts';
import { redisKills } from './redis-kills.ts';
import { sharedLimits } from './shared-limits/shared-limits.ts';
import { topology } from './topology.ts';
import { webhooks } from './webhooks.ts';

/** What goes wrong by itself, or by too many callers. */
const FAULTS: readonly Experiment[] = [
  keyFlood,
  halfOpenNetwork,
  killStorm,
  changeLog,
  webhooks,
  processLoss,
  databaseFaults,
  greedyClients,
  fuzz,
  badDataFolders,
  damagedDatabase,
  pageFlood,
  clockJumps,
  redisKills,
  failover,
  sharedLimits,
  topology,
];

/** What somebody does on purpose. */
const ATTACKS: readonly Experiment[] = [guessesFromManyNetworks, proxyVisitor, keylessCallers, verifyPresses, minuteKills];

export const EXPERIMENTS = { faults: FAULTS, attacks: ATTACKS } as const;
