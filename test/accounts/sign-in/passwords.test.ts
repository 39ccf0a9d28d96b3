import { describe, expect, it } from 'vitest';
import { createPasswordHasher, passwordFault } from '../../../src/accounts/sign-in/passwords.ts';
import { BusyError, createSemaphore } from '../../../src/values/waiting/semaphore.ts';

const QUICK = { cost: { memory: 64, passes: 1, parallelism: 1 } };

describe('a password', () => {
  it.each([
    ['', 'short_password'],
    ['nine char', 'short_password'],
    ['x'.repeat(1_000_000), 'long_password'],
    ['é'.repeat(32_768), 'long_password'],
    ['x'.repeat(257), 'long_password'],
    ['a good one\0really', 'unusable_password'],
    ['aaaaaaaaaaaa', 'guessable_password'],
    ['PASSWORD123', 'guessable_password'],
    ['ada.lovelace@example.org', 'guessable_password'],
    ['Ada.Lovelace', 'guessable_password'],
  ])('is refused: %.20s', (password, fault) => {
    expect(passwordFault(password, 'ada.lovelace@example.org')).toBe(fault);
  });

  it.each(['ten letters', 'correct horse battery', 'ünïcödé wörds', '🂡🂢🂣🂤🂥🂦', 'abcd'.repeat(64)])(
    'may be used: %s',
    (password) => {
      expect(passwordFault(password, 'ada@example.org')).toBeNull();
    },
  );
});

describe('a hash', () => {
  it('is salted argon2id at the cost that is advised, and says so itself', async () => {
    const hasher = createPasswordHasher();
    const [one, two] = await Promise.all([hasher.hash('correct horse battery'), hasher.hash('correct horse battery')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify(one, 'correct horse battery')).toBe(true);
    expect(await hasher.verify(one, 'correct horse batterz')).toBe(false);
    // Another cost in the code later does not shut anybody out.
    expect(await createPasswordHasher(QUICK).verify(two, 'correct horse battery')).toBe(true);
  });

  it('counts every letter: nothing is cut', async () => {
    const hasher = createPasswordHasher(QUICK);
    const hashed = await hasher.hash(`${'x'.repeat(255)}a`);
    expect(await hasher.verify(hashed, `${'x'.repeat(255)}b`)).toBe(false);
    expect(await hasher.verify(hashed, 'x'.repeat(255))).toBe(false);
  });

  it('is the same for the same word from another keyboard', async () => {
    const hasher = createPasswordHasher(QUICK);
    expect(await hasher.verify(await hasher.hash('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
  });

  it.each([
    '',
    'plain text',
    '$argon2id$v=19$m=9999999999,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA',
    '$2b$10$abcdefghijklmnopqrstuv',
  ])('of another kind fits no password: %s', async (hashed) => {
    expect(await createPasswordHasher(QUICK).verify(hashed, 'anything at all')).toBe(false);
  });

  it('waits for its turn, and is refused when too many wait', async () => {
    const hasher = createPasswordHasher({ ...QUICK, atOnce: 1, waiting: 2 });
    const hashes = Array.from({ length: 5 }, () => hasher.hash('correct horse battery').catch((error: unknown) => error));
    const answers = await Promise.all(hashes);
    expect(answers.filter((answer) => answer instanceof BusyError)).toHaveLength(2);
    expect(await hasher.hash('correct horse battery')).toContain('argon2id');
  });

  it('leaves the serving thread free, however many are asked for', async () => {
    const hasher = createPasswordHasher();
    let [turns, done] = [0, false];
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    count();
    await Promise.all(Array.from({ length: 24 }, () => hasher.hash('correct horse battery')));
    done = true;
    expect(turns).toBeGreaterThan(24 * 10);
  });
});

describe('a turn', () => {
  it('comes in order, to few at a time, and not to who waited too long', async () => {
    const inTurn = createSemaphore({ atOnce: 2, waiting: 10, patienceMs: 60_000 });
    const [order, gate] = [[] as number[], Promise.withResolvers<void>()];
    let [now, most] = [0, 0];
    const all = Array.from({ length: 6 }, (_, n) =>
      inTurn(async () => {
        most = Math.max(most, ++now);
        order.push(n);
        if (n < 2) await gate.promise;
        now -= 1;
      }),
    );
    gate.resolve();
    await Promise.all(all);
    expect([order, most]).toEqual([[0, 1, 2, 3, 4, 5], 2]);
    const hasty = createSemaphore({ atOnce: 1, waiting: 10, patienceMs: 100 });
    const first = hasty(() => new Promise((resolve) => setTimeout(resolve, 150)));
    const late = hasty(async () => 'late').catch((error: unknown) => error);
    await first.catch(() => {});
    expect(await late).toBeInstanceOf(BusyError);
    expect(await hasty(async () => 'next')).toBe('next');
  });
});
