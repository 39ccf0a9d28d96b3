// One engine is enough: nothing here needs a database.
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AccessVerdict } from '../../src/accounts/index.ts';
import { createMetrics } from '../../src/api/index.ts';
import { files, quoted, read, tableRows } from './source-tree.ts';

interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; docs: string };
}
interface Panel {
  type: string;
  title: string;
  description?: string;
  targets?: { expr: string }[];
}

const alerts: AlertRule[] = parse(read('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
);
const dashboard = JSON.parse(read('deploy/prometheus/grafana-dashboard.json'));
const panels: Panel[] = dashboard.panels.filter(({ type }: Panel) => type !== 'row');
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ query }: { query: string | { query: string } }) =>
    typeof query === 'string' ? [] : [query.query],
  ),
];

/** By name of a metric, the values of each label that the service has shown. */
let known: Map<string, Map<string, Set<string>>>;
beforeAll(async () => {
  known = await readKnown();
});

describe('the metrics of the service', () => {
  it('are on their page, and no other', () => {
    const rows = tableRows('docs/operations.md', 'metric').map(([name = '']) => quoted(name)[0] ?? '');
    const own = [...known.keys()].filter((name) => name.startsWith('marquee_') && !/_(bucket|sum|count)$/.test(name));
    expect(rows.sort()).toEqual(own.sort());
  });
});

describe('the alerts and the dashboard', () => {
  it('are seen at all', () => {
    expect(alerts.length).toBeGreaterThan(10);
    expect(panels.length).toBeGreaterThan(12);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('ask only for metrics that exist, by labels and values that exist', () => {
    const missing = expressions.flatMap((expression) => {
      const asked = selectorsOf(expression);
      if (asked.length === 0) return [`${expression}: no metric`];
      return asked.flatMap(({ name, matchers }) => faultsOf(name, matchers));
    });
    expect(missing).toEqual([]);
  });

  it('group only by labels that exist', () => {
    const labels = new Set([...OF_PROMETHEUS, ...[...known.values()].flatMap((of) => [...of.keys()])]);
    const grouped = expressions.flatMap((expression) =>
      [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    );
    expect(grouped.length).toBeGreaterThan(10);
    expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
  });

  it('show every metric of the service in some panel', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name)));
    const own = tableRows('docs/operations.md', 'metric').map(([name = '']) => quoted(name)[0] ?? '');
    expect(own.filter((name) => !shown.some((each) => each.replace(/_bucket$/, '') === name))).toEqual([]);
  });

  it('say in one sentence what to do, and name a page that exists', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations.action, alert).toMatch(/^[A-Z][^.]{20,}\.$/);
      expect(annotations.action.split(' ').length, alert).toBeLessThanOrEqual(25);
      expect(['page', 'ticket'], alert).toContain(labels.severity);
      const [file = '', anchor] = annotations.docs.split('#');
      expect(files, alert).toContain(file);
      expect(headingsOf(file), alert).toContain(anchor);
    }
    for (const { title, description } of panels) expect(description, title).toMatch(/^[A-Z0-9].{20,}\.$/);
  });

  it('belong to a configuration that names them and the default port', () => {
    const { rule_files, scrape_configs } = parse(read('deploy/prometheus/prometheus.yaml'));
    expect(rule_files).toEqual(['alerts.yaml']);
    const [{ job_name, static_configs }] = scrape_configs;
    const jobs = new Set(expressions.flatMap((each) => [...each.matchAll(/job="(\w+)"/g)].map(([, job]) => job)));
    expect([...jobs]).toEqual([job_name]);
    expect(static_configs[0].targets[0]).toBe('127.0.0.1:9464');
  });
});

/** The names in an expression with the matchers behind them. */
function selectorsOf(expression: string) {
  return [...expression.matchAll(/\b((?:marquee|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(([, name = '', text = '']) => ({
    name,
    matchers: [...text.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', operator, value = '']) => ({
      label,
      operator,
      value,
    })),
  }));
}

function faultsOf(name: string, matchers: ReturnType<typeof selectorsOf>[number]['matchers']): string[] {
  if (name !== 'up' && !known.has(name)) return [`${name}: no such metric`];
  return matchers.flatMap(({ label, operator = '', value }) => {
    if (OF_PROMETHEUS.includes(label)) return [];
    const values = known.get(name)?.get(label);
    if (!values) return [`${name}: no label ${label}`];
    // A pattern of words is a list of values; another pattern must match one that was shown.
    const wanted = operator.endsWith('~') && /^[\w|]+$/.test(value) ? value.split('|') : [value];
    const isShown = (one: string) => [...values].some((shown) => new RegExp(`^(?:${one})$`).test(shown));
    return wanted.filter((one) => !isShown(one)).map((one) => `${name}: no ${label} ${one}`);
  });
}

/** As Prometheus reads them from a service that has met everything. */
async function readKnown(): Promise<typeof known> {
  const metrics = createMetrics({
    freshness: () => ({ seq: 2, headSeq: 2, builtAt: 0, buildMs: 1 }),
    sources: async () => [{ name: 'radio', state: 'active', lastOkAt: 1, everySeconds: 1, failures: 0 }],
    backups: async () => ({ newestAt: 1, bytes: 1, failures: 0, everyMs: 1 }),
    isDamaged: () => true,
    limits: () => ({ isShared: true, failures: new Map([['deadline', 1]]), aloneDecisions: 1 }),
  });
  for (const status of [200, 304, 404, 500]) metrics.answered('/api/v1/events', 'GET', status, 3);
  for (const reason of Object.keys(REASONS)) metrics.verdict({ ok: false, reason } as AccessVerdict);
  for (const reason of ['parse', 'timeout', 'headers', 'limit', 'unread'] as const) metrics.refusedConnection(reason);
  const found: typeof known = new Map();
  for (const line of (await metrics.registry.metrics()).split('\n')) {
    const [, type] = /^# TYPE (\w+) /.exec(line) ?? [];
    const [, sample, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    const name = type ?? sample;
    if (!name) continue;
    const of = found.get(name) ?? new Map<string, Set<string>>();
    found.set(name, of);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      of.set(label, (of.get(label) ?? new Set()).add(value));
    }
  }
  await metrics.close();
  return found;
}

const headingsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  );

type Reason = Extract<AccessVerdict, { ok: false }>['reason'];
/** A reason that is missing here does not compile. */
const REASONS: Record<Reason, true> = {
  missing: true,
  invalid: true,
  revoked: true,
  expired: true,
  unknown_key_limit: true,
  minute: true,
  day: true,
  unavailable: true,
  crowded: true,
};
/** Labels that Prometheus adds. */
const OF_PROMETHEUS = ['job', 'instance'];
