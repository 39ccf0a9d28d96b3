/** What loaders and actions find in their context: the opened rooms, and facts of the request that no header can forge. */

import { createContext } from 'react-router';
import type { SignIn } from '../../accounts/index.ts';
import type { OpenApiDocument } from '../../api/index.ts';
import type { Billing } from '../../billing/index.ts';
import type { Clocks } from '../../clock.ts';
import type { answerHere, doManualWork, HereInput, ManualChangeResult, ManualWork, TextPlace } from '../../ingest/index.ts';
import type { Log } from '../../log.ts';
import type { Mailer } from '../../mail/index.ts';
import type { SearchReader } from '../../search/index.ts';
import type { Store } from '../../store/index.ts';
import type { Endpoints, Redelivery } from '../../webhooks/index.ts';
import type { MapSettings } from '../model/map.ts';
import type { RunOnce } from './forms.ts';
import type { LiveStreams } from './serving/live-streams.ts';
import type { PagesHost } from './serving/page-messages.ts';

export interface Rooms extends Omit<PagesHost, 'wake' | 'attempts'> {
  store: Store;
  signIn: SignIn;
  billing: Billing;
  mailer: Mailer;
  search: SearchReader;
  clocks: Clocks;
  /** Without a trailing slash. */
  publicUrl: string;
  /** What maps are made of. */
  map: MapSettings;
  /** The address of a file of an export, without host, good for ten minutes. */
  exportPath(id: string, name: string): string;
  /** The API's description, as `/openapi.json` gives it. */
  openApi: () => OpenApiDocument;
  runs: Runs;
  /** Of the link that `npm start` prints: see `readWelcomeLink`. */
  welcomeToken: string;
  /** See `ReportPlace`. */
  reportSecret: string;
  webhooks: { endpoints: Endpoints; redelivery: Redelivery };
  /** Forms that were sent twice do their work once. */
  once: RunOnce;
  /** The same for forms that are answered with a secret: it is forgotten after a double click. */
  onceShown: RunOnce;
  /** Ends when the service drains: streams must end with it. */
  ending: AbortSignal;
  /** Streams end with their session, too. */
  streams: LiveStreams;
}

export interface Runs {
  /** As the host's. */
  wake(): void;
  /** As `undoRun`, in a process of its own. */
  undo(id: string): Promise<ManualChangeResult>;
  /** As `doManualWork`, in a process of its own. */
  byHand(work: ManualWork): ReturnType<typeof doManualWork>;
  /** As `answerHere`, in a process of its own if an address is to be placed. */
  here(answer: Omit<HereInput, 'store' | 'now'>): ReturnType<typeof answerHere>;
  /** As `findAddress`, in a process of its own. */
  findAddress(address: string): Promise<TextPlace>;
}

export type AskApi = (request: { target: string; key: string; address: string }) => Promise<ApiAnswer>;

export interface ApiAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** How the database treated one request of a page. */
export interface DatabaseTrouble {
  /** A statement failed because the database is away, full, locked or only readable. */
  isAway: boolean;
}

export interface RequestFacts {
  requestId: string;
  /** The caller's address, behind believed proxies only. */
  address: string;
  /** Of this answer's content security policy. */
  nonce: string;
  log: Log;
  trouble: DatabaseTrouble;
  /** Nothing of what was asked for may show: to this reader it does not exist. */
  isHidden: boolean;
  /** The status that the page of a refusal says. */
  refused: number;
}

export const rooms = createContext<Rooms>();
export const requestFacts = createContext<RequestFacts>();
