import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';
import { environmentOf, marquee, startDemoService } from '../support/rigs/service.ts';
import { DEMO_NOW } from '../support/runs/demo-clock.ts';

describe('a service that is told to end', () => {
  // The system may deliver two pending signals of one kind as one, but not two kinds.
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('by %s and %s at once ends in order', async (first, second) => {
    const service = await startDemoService();
    const browser = await keepConnection(service.url);
    const ended = once(service.process, 'exit');
    service.process.kill(first);
    service.process.kill(second);
    expect(await ended).toEqual([0, null]);
    expect(isMarkedRunning(service.folder)).toBe(false);
    browser.destroy();
    await service.stop();
  });

  it('by a second signal much later ends at once', async () => {
    const service = await startDemoService();
    // After a request, load balancers get five seconds to notice.
    await fetch(service.url);
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    const again = setInterval(() => service.process.kill('SIGTERM'), 50);
    expect(await ended).toEqual([1, null]);
    clearInterval(again);
    await service.stop();
  });

  it('by Ctrl-C in the terminal of npm start ends in order, and a copy of its folder starts', async () => {
    const data = await copyDemoFolder(DEMO_NOW);
    const terminal = openTerminal('npm start', { MARQUEE_DATA_DIR: data.folder, MARQUEE_NOW: DEMO_NOW, LOG_LEVEL: 'info' });
    const printed = readAll(terminal);
    await eventually(() => LISTENING.test(printed()) || terminal.exitCode !== null);
    const [, url = ''] = LISTENING.exec(printed()) ?? [];
    const browser = await keepConnection(url);
    const ended = once(terminal, 'close');
    terminal.stdin?.write(CTRL_C);
    await ended;
    expect(printed()).toContain('"msg":"stopped"');
    expect(isMarkedRunning(data.folder)).toBe(false);
    browser.destroy();
    const copy = temporaryFolder();
    cpSync(data.folder, copy.folder, { recursive: true });
    expect(await marquee(['source', 'list', '--json'], { MARQUEE_DATA_DIR: copy.folder })).toMatchObject({
      status: 0,
      stderr: '',
    });
    copy.remove();
    data.remove();
  });
});

/** As a browser does after its first page: the connection stays open. */
async function keepConnection(url: string): Promise<Agent> {
  const agent = new Agent({ keepAlive: true });
  const request = get(`${url}/healthz`, { agent });
  const [answer] = await once(request, 'response');
  answer.resume();
  await once(answer, 'end');
  return agent;
}

/** Whose command is the foreground of a terminal: what is typed there reaches the whole group. */
const openTerminal = (command: string, env: Record<string, string>): ChildProcess =>
  spawn('script', ['-qefc', command, '/dev/null'], { env: environmentOf(env), stdio: ['pipe', 'pipe', 'ignore'] });

function readAll({ stdout }: ChildProcess): () => string {
  let printed = '';
  stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return () => printed;
}

const isMarkedRunning = (folder: string): boolean => existsSync(join(folder, 'database', 'marquee-running'));

const LISTENING = /^listening on (http:\S+?)\r?$/m;
const CTRL_C = '\u0003';
