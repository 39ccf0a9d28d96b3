/**
 * People who sign in all at once: `node bench/crowd.ts <url> <how many>`. A process of its own, which stands back: people have
 * machines of their own, and what theirs do is not the service's work. Prints the status that each was answered with, 0 for no answer: on a
 * busy machine a connection may end before.
 */

import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);

const [url = '', people] = process.argv.slice(2);
const answers = Array.from({ length: Number(people) }, async (_, person) => {
  const asking = fetch(`${url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email: `person-${person}@example.org`, password: 'a long enough password' }),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': `198.18.${person}.1` },
  });
  return asking
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    })
    .catch(() => 0);
});
console.log(JSON.stringify(await Promise.all(answers)));
