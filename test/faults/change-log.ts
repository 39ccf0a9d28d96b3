/** kill -9 at random moments while eight writers change the directory: a copy that follows the change log misses nothing and hears nothing twice. */

import { hash, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { importBundle } from '../../src/ingest/index.ts';
import { eventLine, venueLine } from '../support/records/bundle.ts';
import type { Context, Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';

export const changeLog: Experiment = {
  name: 'change log',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const kills = context.short ? 2 : 200;
    let service = await context.start(PLACE);
    const [reader] = await context.makeKeys(1, 'enterprise');
    if (!reader) throw new Error('no key');
    await settle(() => importBundle({ store: context.connect(), bundle: { venues: [venueLine('cellar')] } }));
    const ending = new AbortController();
    const acknowledged = new Set<string>();
    const written = new AbortController();
    const copy = follow(() => service.url, reader.key, written.signal);
    const writers = Array.from({ length: WRITERS }, (_, number) => keepWriting(context, number, acknowledged, ending.signal));
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(MIN_WORK_MS + randomInt(MAX_WORK_MS - MIN_WORK_MS));
      await service.kill();
      service = await context.start(PLACE);
    }
    await pause(MAX_WORK_MS);
    ending.abort();
    await Promise.all(writers);
    written.abort();
    const { sequences, records } = await copy;
    const logged = await readNumbers(context);
    const heard = new Set(sequences);
    const missed = logged.filter((seq) => !heard.has(seq)).length;
    const known = new Set(logged);
    const titles = new Set([...records.values()].map(({ title }) => title));
    const lost = [...acknowledged].filter((title) => !titles.has(title)).length;
    verdict.require(acknowledged.size > 0, 'nothing was acknowledged');
    verdict.require(
      sequences.every((seq, place) => place === 0 || seq > (sequences[place - 1] ?? 0)),
      'a change came twice or out of order',
    );
    verdict.require(missed === 0, `${missed} of ${logged.length} changes were not heard of`);
    verdict.require(
      sequences.every((seq) => known.has(seq)),
      'a change was heard of that is not in the log',
    );
    verdict.require(lost === 0, `${lost} of ${acknowledged.size} acknowledged events are not in the copy`);
    const unequal = await countUnequal(service, reader.key, records);
    verdict.require(unequal === 0, `${unequal} of 256 sums of events differ between the copy and the directory`);
    return {
      figures: `${kills} kills, ${WRITERS} writers: of ${logged.length} changes ${missed} missed, ${sequences.length - heard.size} twice; ${acknowledged.size} acknowledged events, ${lost} not in the copy; ${unequal} of 256 sums differ`,
      failures: verdict.failures,
    };
  },
};

/** What is under way at a kill is not acknowledged, and is written again. */
async function settle<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await pause(50);
    }
  }
}

/** New events and new titles for earlier ones, each in a transaction of its own. */
async function keepWriting(context: Context, writer: number, acknowledged: Set<string>, ending: AbortSignal): Promise<void> {
  const current = new Map<string, string>();
  for (let turn = 0; !ending.aborted; turn += 1) {
    const id = `writer-${writer}-${turn % EVENTS}`;
    const title = `Night ${randomUUID()}`;
    try {
      const bundle = { venues: [venueLine('cellar')], events: [eventLine(id, { title })] };
      const { events } = await importBundle({ store: context.connect(), bundle });
      const before = current.get(id);
      if (before !== undefined) acknowledged.delete(before);
      current.delete(id);
      if (events.created + events.updated !== 1) continue;
      current.set(id, title);
      acknowledged.add(title);
    } catch {
      // Whether it was committed is not known: neither title can be asked for.
      const before = current.get(id);
      if (before !== undefined) acknowledged.delete(before);
      current.delete(id);
      await pause(20);
    }
  }
}

interface LoggedChange {
  sequence: number;
  entity: string;
  id: string;
  record: { title?: string } | null;
}

interface Copied {
  sequences: number[];
  /** Of events. */
  records: Map<string, { title: string; bytes: string }>;
}

/** A copy as docs/changes.md says, from the beginning of the log to its end once all is written. */
async function follow(url: () => string, key: string, written: AbortSignal): Promise<Copied> {
  const copied: Copied = { sequences: [], records: new Map() };
  for (let next = ''; ; ) {
    const isWritten = written.aborted;
    const answer = await ask<{ data: LoggedChange[]; meta: { next: string; head: number } }>(
      `${url()}/api/v1/changes?kind=any&limit=1000&wait=1${next && `&after=${next}`}`,
      key,
    );
    if (!answer) {
      await pause(20);
      continue;
    }
    for (const { sequence, entity, id, record } of answer.data) {
      copied.sequences.push(sequence);
      if (entity !== 'event') continue;
      if (record) copied.records.set(id, { title: record.title ?? '', bytes: JSON.stringify(record) });
      else copied.records.delete(id);
    }
    next = answer.meta.next;
    if (isWritten && next.endsWith(`.${answer.meta.head}`)) return copied;
  }
}

/** Null when the service is not there, or starts. */
async function ask<T>(url: string, key: string): Promise<T | null> {
  try {
    const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(10_000) });
    if (answer.status === 200) return (await answer.json()) as T;
    await answer.body?.cancel();
    if (answer.status < 500 && answer.status !== 429) throw new Refused(`${url.split('?')[0]}: ${answer.status}`);
    return null;
  } catch (error) {
    if (error instanceof Refused) throw error;
    return null;
  }
}

class Refused extends Error {}

/** Of all changes that the log shows. */
async function readNumbers(context: Context): Promise<number[]> {
  const rows = await settle(() =>
    context.connect().db.selectFrom('change').select('seq').where('entity', '!=', 'city').orderBy('seq').execute(),
  );
  return rows.map(({ seq }) => Number(seq));
}

/** Ranges in which the copy is not what the directory says of itself. */
async function countUnequal(service: Service, key: string, records: Copied['records']): Promise<number> {
  const sums = new BigUint64Array(256);
  for (const [id, { bytes }] of records) {
    const range = Number.parseInt(id.slice(-2), 16);
    sums[range] = (sums[range] ?? 0n) + hash('sha1', bytes, 'buffer').readBigUInt64BE();
  }
  const own = [...sums].map((sum) => sum.toString(16).padStart(16, '0'));
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask<{ data: { ranges: string[] } }>(`${service.url}/api/v1/changes/checksum?entity=event`, key);
    const unequal = answer ? answer.data.ranges.filter((sum, range) => sum !== own[range]).length : 256;
    // The read model may be a moment behind the last change.
    if (unequal === 0 || attempt === 50) return unequal;
    await pause(100);
  }
}

/** Records carry the public address: another one begins another history. */
const PLACE = { env: { MARQUEE_PUBLIC_URL: 'https://marquee.example' } };
const WRITERS = 8;
const EVENTS = 12;
const MIN_WORK_MS = 800;
const MAX_WORK_MS = 2_000;
