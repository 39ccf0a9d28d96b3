/**
 * 200 people who sign in at the service named on the command line, all at once. A process of its own, which stands back: people have
 * machines of their own, and what theirs do is not the service's work.
 */

import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);

const [url = ''] = process.argv.slice(2);
const answers = Array.from({ length: 200 }, async (_, person) => {
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email: `person-${person}@example.org`, password: 'a long enough password' }),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `198.18.${person}.1` },
  });
  await answer.arrayBuffer();
  return answer.status;
});
console.log(JSON.stringify(await Promise.all(answers)));
