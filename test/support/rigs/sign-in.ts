/** Sign-in on a store of its own, with e-mails that can be read and browsers that keep their cookies. */

import { createHmac } from 'node:crypto';
import { openSignIn, type SignIn, type SignInCaller, type SignInOptions } from '../../../src/accounts/index.ts';
import { createLog } from '../../../src/log.ts';
import { type KeptEmail, type Mailer, openMailer } from '../../../src/mail/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../database/store.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
export const PASSWORD = 'correct horse battery';

export interface SignInRig {
  testStore: TestStore;
  signIn: SignIn;
  /** Another process on the same store, as far as the store can see. */
  openAnother(): Promise<SignIn>;
  mailer: Mailer;
  folder: string;
  /** The directory's clock, and the clock of the limits, in ms. */
  time: { directory: number; monotonic: number };
  logged: string[];
  /** The latest e-mail to an address. */
  emailTo(email: string): KeptEmail | undefined;
  /** What a link of the latest e-mail to an address carries. */
  tokenTo(email: string): string;
  openBrowser(more?: Partial<TestBrowser>): TestBrowser;
  /** An account with a confirmed address, and a browser that is signed in. */
  join(email: string, password?: string): Promise<TestBrowser>;
  dispose(): Promise<void>;
}

/** A caller that takes the cookies it is given. */
export interface TestBrowser extends SignInCaller {
  cookies: Map<string, string>;
  take(answer: object): void;
}

export async function openSignInRig(options: Partial<SignInOptions> = {}): Promise<SignInRig> {
  const testStore = await openTestStore();
  const { folder, remove } = temporaryFolder();
  const time = { directory: NOON, monotonic: 0 };
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const mailer = openMailer({
    smtpUrl: null,
    from: 'Marquee <no-reply@example.org>',
    dataDir: folder,
    log,
    now: () => time.directory,
  });
  const publicUrl = options.publicUrl ?? 'https://events.example.org';
  const plenty = { burst: 1_000, everyMs: 1 };
  const openAnother = () =>
    openSignIn({
      db: testStore.store.db,
      mailer,
      publicUrl,
      secret: 'a secret for tests, long enough to be one',
      dataDir: folder,
      log,
      now: () => time.directory,
      monotonic: () => time.monotonic,
      hashing: { cost: { memory: 64, passes: 1, parallelism: 1 } },
      ...options,
      limits: { signUpsFrom: plenty, signInFrom: plenty, resetsFrom: plenty, linksFrom: plenty, ...options.limits },
    });
  const opened = await openAnother();
  /** Done with what goes on after the answer. */
  const thenIdle =
    <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      const answer = await work(...args);
      await opened.onIdle();
      return answer;
    };
  const signIn = { ...opened, signUp: thenIdle(opened.signUp), requestReset: thenIdle(opened.requestReset) };

  function openBrowser(more: Partial<TestBrowser> = {}): TestBrowser {
    const cookies = new Map<string, string>();
    const headers = new Headers({
      origin: new URL(publicUrl).origin,
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Firefox/140 (X11; Linux)',
    });
    return {
      address: '203.0.113.7',
      headers,
      cookies,
      take(answer) {
        for (const line of (answer as { setCookies?: string[] }).setCookies ?? []) {
          const [pair = '', ...attributes] = line.split('; ');
          const [name = '', value = ''] = pair.split(/=(.*)/s);
          if (attributes.includes('Max-Age=0')) cookies.delete(name);
          else cookies.set(name, value);
        }
        if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
        else headers.delete('cookie');
      },
      ...more,
    };
  }

  const emailTo = (email: string) => mailer.recent().find((sent) => sent.to === email);
  const tokenTo = (email: string) => /token=(\S+)/.exec(emailTo(email)?.text ?? '')?.[1] ?? '';

  return {
    testStore,
    signIn,
    openAnother,
    mailer,
    folder,
    time,
    logged,
    emailTo,
    tokenTo,
    openBrowser,
    async join(email, password = PASSWORD) {
      const browser = openBrowser();
      const signedUp = await signIn.signUp(browser, { email, password });
      browser.take(signedUp);
      const verified = await signIn.verifyEmail(browser, { token: tokenTo(email.toLowerCase()) });
      if (!verified.ok) throw new Error(verified.detail);
      browser.take(verified);
      return browser;
    },
    async dispose() {
      await mailer.close();
      await testStore.dispose();
      remove();
    },
  };
}

/** The code of an authenticator app (RFC 6238): 6 digits, 30 seconds, SHA-1. `secret` in base 32 (RFC 4648), spaces allowed. */
export function totpOf(secret: string, at: number = Date.now()): string {
  let bits = '';
  for (const letter of secret.replace(/[\s=]/g, ''))
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', key).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
