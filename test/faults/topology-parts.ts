/** The parts of `deploy/compose` that are not ours, as processes of this machine: the counters' server and the load balancer. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/processes/child-process.ts';

/** A server on a port of its own, which can be killed and started again. */
export interface Part {
  port: number;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Redis or Valkey with the options of the compose file. */
export function createRedis(port: number, folder: string): Part {
  mkdirSync(folder, { recursive: true });
  const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
  return createPart(port, 'redis-server', [...own, '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction']);
}

export interface BalancerOptions {
  upstreams: readonly number[];
  /** As it is deployed. Without retries, each request that reached no process is an error: what a restart must not cause. */
  retries: boolean;
}

/** Caddy with the file of `deploy`. */
export function createBalancer(port: number, folder: string, { upstreams, retries }: BalancerOptions): Part {
  mkdirSync(folder, { recursive: true });
  const deployed = readFileSync(CADDYFILE, 'utf8').replace('{\n', '{\n\tadmin off\n\tauto_https off\n');
  const strict = deployed.replace(/^\s*(?:lb_try_\w+|fail_duration|max_fails) .*\n/gm, '');
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, retries ? deployed : strict);
  return createPart(port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    MARQUEE_HOSTNAME: `http://127.0.0.1:${port}`,
    MARQUEE_UPSTREAMS: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
}

function createPart(port: number, program: string, words: readonly string[], env: Record<string, string> = {}): Part {
  let child: ChildProcess | null = null;
  const killOnExit = () => child?.kill('SIGKILL');
  return {
    port,
    async start() {
      const started = spawn(program, words, { env: { ...process.env, ...env }, stdio: 'ignore' });
      process.once('exit', killOnExit);
      child = started;
      // A program that is missing, or a port that is taken.
      const failed = once(started, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`)));
      await Promise.race([eventually(() => accepts(port)), failed]);
      failed.catch(() => undefined);
    },
    async kill() {
      process.off('exit', killOnExit);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const CADDYFILE = new URL('../../deploy/caddy/Caddyfile', import.meta.url);
