import { expect, it } from 'vitest';
import { createMergedLoader } from '../../src/search/index.ts';
import { pretendDatabase } from '../support/database/pretended-database.ts';
import { PUBLIC_URL } from './random-directory.ts';

it('merged events are not waited for where the database is silent', async () => {
  const db = pretendDatabase(() => new Promise(() => {}));
  await expect(createMergedLoader({ db, publicUrl: PUBLIC_URL })(0, 1)).rejects.toMatchObject({ code: 'deadline' });
});
