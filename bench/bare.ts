/** The yardstick: `node:http` and nothing else, sending recorded answers, headers and bodies, by their path. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<
  string,
  { status?: number; headers: [string, string][]; body: string }
>;
const answers = new Map(
  Object.entries(recorded).map(([path, { status = 200, headers, body }]) => [
    path,
    // Node writes these three itself.
    {
      status,
      headers: headers.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)).flat(),
      body: Buffer.from(body, 'base64'),
    },
  ]),
);

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (!answer) return void response.writeHead(404, ['content-length', '0']).end();
  response.writeHead(answer.status, answer.headers).end(answer.body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
