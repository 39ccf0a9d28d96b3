import { describe, expect, it } from 'vitest';
import { describeDatabaseUrl, parseDatabaseUrl } from '../../src/values/database-url.ts';

const parsed = (text: string) => {
  const servers = parseDatabaseUrl(text);
  if (typeof servers === 'string') throw new Error(servers);
  return servers;
};

describe('the address of a database', () => {
  it('of one server stays as it is', () => {
    for (const text of [
      'postgresql://ann:s3cret@db.example:5433/city?sslmode=verify-full',
      'postgres:///city?host=/var/run/postgresql',
      'postgres://ann@[::1]/city',
      'postgres://ann:a,b%40c@host/city',
    ])
      expect(parsed(text)).toEqual({ urls: [text], needsPrimary: false });
  });

  it('of several servers is one address for each, and asks for the primary', () => {
    expect(parsed('postgres://ann:p,w@d%40@h1:5432,[::1]:5433,h3/city?target_session_attrs=read-write&sslmode=disable')).toEqual({
      urls: ['h1:5432', '[::1]:5433', 'h3'].map((host) => `postgres://ann:p,w%40d%40@${host}/city?sslmode=disable`),
      needsPrimary: true,
    });
    expect(parsed('postgres://h1,h2/city')).toMatchObject({
      urls: ['postgres://h1/city', 'postgres://h2/city'],
      needsPrimary: true,
    });
  });

  it('may ask for the primary of one server, too', () => {
    for (const target of ['read-write', 'primary'])
      expect(parsed(`postgres://h1/city?target_session_attrs=${target}`)).toEqual({
        urls: ['postgres://h1/city'],
        needsPrimary: true,
      });
    expect(parsed('postgres://h1/city?target_session_attrs=any').needsPrimary).toBe(false);
  });

  it('is described without user and password', () => {
    expect(describeDatabaseUrl(parsed('postgres://ann:s3cret@h1:5432,h2/city'))).toBe('city at h1:5432, h2');
    expect(describeDatabaseUrl(parsed('postgres:///?host=/run/pg'))).toBe('postgres at /run/pg');
  });

  it.each([
    ['mysql://ann:s3cret@h1/city', 'must be an address such as'],
    ['host=h1 password=s3cret', 'must be an address such as'],
    ['postgres://ann:s3cret%zz@h1/city', 'percent sign'],
    ['postgres://ann:s3cret@h1,,h2/city', 'server 2 of 3'],
    ['postgres://ann:s3cret@h1:5432,h2:99999/city', 'server 2 of 2'],
    ['postgres://ann:s3cret@h1:5432,h2:x/city', 'server 2 of 2'],
    ['postgres://ann:s3cret/more@h1,h2/city', 'server 1 of 1 has another form; in a password, write / as %2F'],
    ['postgres://ann:s3cret@h1,h2/city?target_session_attrs=standby', 'target_session_attrs=read-write'],
    ['postgres://ann:s3cret@/city?host=h1,h2', 'must be an address such as'],
    ['postgres:///city?host=h1,h2&password=s3cret', 'before the name of the database'],
    ['postgres://ann:s3cret@h1,h2/city?host=h3', 'before the name of the database'],
  ])('%s is refused with what is wrong, and nothing of it is repeated', (text, what) => {
    const fault = parseDatabaseUrl(text);
    expect(fault).toEqual(expect.stringMatching(/^DATABASE_URL (must|has)/));
    expect(fault).toContain(what);
    expect(fault).not.toMatch(/s3cret|ann\b|h[123]\b/);
  });
});
