/** Figures about limits that processes share. */

import { Counter, Gauge, type Registry } from 'prom-client';
import type { RedisLimitsFigures } from '../../accounts/index.ts';

export function registerLimits(registry: Registry, read: () => RedisLimitsFigures): void {
  new Gauge({
    name: 'marquee_limits_shared',
    help: 'Whether limits are shared through Redis now.',
    registers: [registry],
    collect() {
      this.set(Number(read().isShared));
    },
  });
  new Counter({
    name: 'marquee_limits_alone_total',
    help: 'Decisions that this process made without Redis.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read().aloneDecisions);
    },
  });
  new Counter({
    name: 'marquee_limits_failures_total',
    help: 'Calls of Redis that failed, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of read().failures) this.inc({ reason }, count);
    },
  });
}
