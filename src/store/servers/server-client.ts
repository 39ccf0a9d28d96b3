/** Clients of PostgreSQL servers for a pool: each connects to the server that accepts writes now, where there are several. */

import pg from 'pg';
import type { Primary } from './primary.ts';

/** The server that was the primary a moment ago was not reached, or is no primary any more. `cause`: why. */
export class PrimaryLostError extends Error {}

/** A sign-in that failed on this side leaves the socket open, and with it the process, until the server loses patience (a minute). */
export class ClosingClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(done: (error: Error | null) => void): void;
  override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    if (!done) return super.connect();
    super.connect((error: Error | null) => {
      if (error) void this.end();
      done(error);
    });
    return undefined;
  }
}

/** For a pool of several servers, which differ in host and port alone. */
export function createPrimaryClient(primary: Primary): typeof ClosingClient {
  return class PrimaryClient extends ClosingClient {
    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error | null) => void): void;
    override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      if (!done) return super.connect();
      const lose = (cause: Error) => {
        primary.doubt();
        done(new PrimaryLostError('the primary is lost', { cause }));
      };
      primary.find().then((url) => {
        Object.assign(this, placeOf(url));
        watchMode(this, primary);
        const { stream } = connectionOf(this);
        const impatience = setTimeout(() => stream.destroy(new Error('timeout expired')), CONNECT_MS);
        super.connect((error) => {
          clearTimeout(impatience);
          if (error) return lose(error);
          if (!isReadOnlySession(this)) return done(null);
          void this.end();
          lose(new Error('it is read-only'));
        });
      }, done);
      return undefined;
    }
  };
}

/** Whether the server has told this connection that it accepts no writes. */
export const isReadOnlySession = (client: object): boolean => (readOnlyModes.get(client)?.size ?? 0) > 0;

/** PostgreSQL reports both settings when a session begins, and with the answer to a query when they have changed. */
function watchMode(client: pg.Client, primary: Primary): void {
  const modes = new Set<string>();
  readOnlyModes.set(client, modes);
  connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (!READ_ONLY_MODES.has(parameterName)) return;
    if (parameterValue === 'off') return void modes.delete(parameterName);
    modes.add(parameterName);
    primary.doubt();
  });
}

function placeOf(text: string): { host: string; port: number } {
  const { hostname, port, searchParams } = new URL(text);
  const host = decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1');
  return {
    host: host || (searchParams.get('host') ?? 'localhost'),
    port: Number(port || (searchParams.get('port') ?? DEFAULT_PORT)),
  };
}

interface PgConnection {
  stream: { destroy(error: Error): void };
  on(event: 'parameterStatus', heard: (status: { parameterName: string; parameterValue: string }) => void): void;
}

const connectionOf = (client: pg.Client): PgConnection => (client as unknown as { connection: PgConnection }).connection;

const readOnlyModes = new WeakMap<object, Set<string>>();
const READ_ONLY_MODES: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);
const DEFAULT_PORT = 5432;
/** Of a server that was there a moment ago: with the search for another one, less than 5 s. */
const CONNECT_MS = 2_000;
