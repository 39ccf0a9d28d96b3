import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROLES, SETTINGS } from '../../src/config.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { files, read } from './source-tree.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
type Yaml = any;

const deployed = files.filter((file) => file.startsWith('deploy/'));
const units = deployed.filter((file) => file.endsWith('.service'));
const manifests: Yaml[] = deployed
  .filter((file) => file.startsWith('deploy/kubernetes/') && file !== 'deploy/kubernetes/kustomization.yaml')
  .flatMap((file) => parseAllDocuments(read(file)).map((each) => each.toJS()));
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
const compose: Yaml = parse(read('deploy/compose/compose.yaml'), { merge: true });
const ours: Yaml[] = Object.values(compose.services).filter(({ image }: Yaml) => image === 'marquee');

const names: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name));
const secrets = new Set<string>(SETTINGS.filter((each) => 'secret' in each).map(({ name }) => name));
/** The words after the program, wherever a file starts it. */
const started: string[][] = [
  ...units.map((unit) => (/^ExecStart=.*marquee\.mjs (.*)$/m.exec(read(unit))?.[1] ?? '').split(' ')),
  ...ours.map(({ command }) => command),
  ...deployments.map(({ spec }) => spec.template.spec.containers[0].args),
  JSON.parse(/^CMD (.*)$/m.exec(read('deploy/docker/Dockerfile'))?.[1] ?? '[]'),
];

describe('the files of deploy', () => {
  it('are seen at all', () => {
    expect(units).toHaveLength(3);
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['marquee-api', 'marquee-worker']);
    expect(ours).toHaveLength(3);
    expect(started.map((words) => words.join(' ')).sort()).toEqual([
      'serve',
      'serve',
      ...Array(3 + 1).fill('serve --role api'),
      ...Array(3).fill('serve --role worker'),
    ]);
  });

  it('set only settings that exist', () => {
    const set = [
      ...ours.flatMap(({ environment }) => Object.keys(environment)),
      ...manifests.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.keys(data)),
      ...[...read('deploy/kubernetes/kustomization.yaml').matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name),
      ...units.flatMap((unit) =>
        [...read(unit).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
          line.split(' ').map((each) => each.split('=')[0] ?? ''),
        ),
      ),
      ...[...read('deploy/docker/Dockerfile').matchAll(/\b([A-Z_]{4,})=(?!\/app)/g)].map(([, name = '']) => name),
      ...[...read('deploy/nginx/marquee.conf').matchAll(/\b(MARQUEE_\w+)=/g)].map(([, name = '']) => name),
    ];
    expect(set.length).toBeGreaterThan(25);
    expect([...new Set(set)].filter((name) => !names.has(name))).toEqual([]);
  });

  it('offer every setting of the table in the example for systemd, but for those of tests', () => {
    const offered = [...read('deploy/systemd/marquee.env.example').matchAll(/^#([A-Z_]+)=$/gm)].map(([, name = '']) => name);
    const forTests = SETTINGS.filter(({ meaning }) => meaning.startsWith('tests only')).map(({ name }) => name as string);
    expect(offered).toEqual([...names].filter((name) => !forTests.includes(name)));
    for (const { name, meaning, fallback } of SETTINGS) {
      if (forTests.includes(name)) continue;
      expect(read('deploy/systemd/marquee.env.example')).toContain(`# ${meaning}; default: ${fallback}\n#${name}=\n`);
    }
  });

  it('hold no secret: they refer to one', () => {
    for (const { data } of manifests.filter(({ kind }) => kind === 'ConfigMap')) {
      expect(Object.keys(data).filter((name) => secrets.has(name))).toEqual([]);
    }
    for (const { spec } of deployments) {
      expect(spec.template.spec.containers[0].envFrom).toContainEqual({ secretRef: { name: 'marquee' } });
    }
    for (const { environment } of ours) {
      const literal = Object.entries(environment).filter(
        ([name, value]) => secrets.has(name) && name !== 'REDIS_URL' && !String(value).includes('${'),
      );
      expect(literal).toEqual([]);
    }
    expect(read('deploy/compose/env.example')).toMatch(/^MARQUEE_SECRET=$/m);
  });

  it('start commands and roles that exist', async () => {
    const { stdout } = await marqueeHere(['--help'], {});
    for (const [command = '', option, role] of started) {
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
      if (option === undefined) continue;
      expect(option).toBe('--role');
      expect(ROLES).toContain(role);
    }
  });

  it('ask health paths that the service answers', () => {
    const asked = deployed.flatMap((file) => [...read(file).matchAll(/\/[a-z]+z\b/g)].map(String));
    expect(asked.length).toBeGreaterThan(4);
    const served = new Set([...read('src/server/requests/health-routes.ts').matchAll(/'(\/[a-z]+z)'/g)].map(([, path]) => path));
    expect(asked.filter((path) => !served.has(path))).toEqual([]);
    const [api] = deployments;
    const probed = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (probe) => api.spec.template.spec.containers[0][probe].httpGet.path,
    );
    expect(probed).toEqual(['/readyz', '/readyz', '/healthz']);
  });

  it('wait longer for a process to end than it takes', () => {
    const [, atLeast] = /supervisor to wait (\d+) s/.exec(read('docs/operations.md')) ?? [];
    const waits = [
      ...units.map((unit) => Number(/^TimeoutStopSec=(\d+)$/m.exec(read(unit))?.[1])),
      ...deployments.map(({ spec }) => spec.template.spec.terminationGracePeriodSeconds),
      ...ours.map(({ stop_grace_period }) => Number.parseInt(stop_grace_period, 10)),
    ];
    expect(Number(atLeast)).toBeGreaterThan(30);
    expect(waits).toHaveLength(8);
    expect(waits.filter((seconds) => !(seconds > Number(atLeast)))).toEqual([]);
  });

  it('let no API process be missing while it is replaced, and one of two at most by a disruption', () => {
    const [api] = deployments;
    expect(api.spec.replicas).toBe(2);
    expect(api.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ spec }) => spec.selector)).toEqual(deployments.map(({ spec }) => spec.selector));
    for (const { spec } of budgets) expect(spec.minAvailable).toBe(1);
  });

  it('run the service without rights that it does not need', () => {
    for (const { spec } of deployments) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext.runAsNonRoot).toBe(true);
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const unit of units) {
      for (const line of [
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'User=marquee',
        'StateDirectory=marquee',
        'Restart=always',
      ]) {
        expect(read(unit)).toContain(`\n${line}\n`);
      }
    }
    const [, , final = ''] = read('deploy/docker/Dockerfile').split(/^FROM /m);
    expect(final).toContain('\nUSER nonroot\n');
    // Whatever builds stays in the stage before.
    expect(final).not.toMatch(/^RUN /m);
  });

  it('name only files of the project and ports that the service listens on', () => {
    expect(ours[0].build.dockerfile).toBe('deploy/docker/Dockerfile');
    expect(files).toContain(ours[0].build.dockerfile);
    const mounted = compose.services.caddy.volumes[0].split(':')[0].replace('..', 'deploy');
    expect(files).toContain(mounted);
    const [, port] = /^\s*PORT=(\d+)/m.exec(read('deploy/docker/Dockerfile')) ?? [];
    expect(deployments[0].spec.template.spec.containers[0].ports[0].containerPort).toBe(Number(port));
    expect(compose.services.caddy.environment.MARQUEE_UPSTREAMS).toBe(`api-1:${port} api-2:${port}`);
  });

  it('trust the proxy alone', () => {
    const address = compose.services.caddy.networks.inside.ipv4_address;
    for (const { environment } of ours) expect(environment.MARQUEE_TRUST_PROXY).toBe(address);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.runIf(hasSystemd)('are units that systemd reads without a complaint', () => {
    const paths = units.map((unit) => new URL(`../../${unit}`, import.meta.url).pathname);
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    // The program is not installed here.
    const complaints = stderr.split('\n').filter((line) => line && !line.includes('/opt/marquee/node_modules/node/bin/node'));
    expect(complaints).toEqual([]);
  });

  const hasCaddy = spawnSync('caddy', ['version']).status === 0;
  it.runIf(hasCaddy)('are a file that Caddy reads', () => {
    const file = new URL('../../deploy/caddy/Caddyfile', import.meta.url).pathname;
    const env = { ...process.env, MARQUEE_HOSTNAME: 'http://localhost:0', MARQUEE_UPSTREAMS: '127.0.0.1:1 127.0.0.1:2' };
    const words = ['adapt', '--adapter', 'caddyfile', '--config', file];
    const { apps } = JSON.parse(execFileSync('caddy', words, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }));
    expect(JSON.stringify(apps)).toContain('"uri":"/readyz"');
  });
});
