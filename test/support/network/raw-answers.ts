/** Answers as they came through a socket, read strictly (RFC 9112): nothing may stand between them. */

export interface ReadAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Throws where the bytes are no sequence of whole answers. None of them may be one to HEAD. Interim ones (1xx) are answers, too. */
export function readAnswers(text: string): ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no end of headers: ${rest.toString().slice(0, 200)}`);
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
    if (!status) throw new Error(`no status line: ${first.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(': ');
        if (colon < 0) throw new Error(`no header: ${line.slice(0, 200)}`);
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
      }),
    );
    const hasBody = Number(status) >= 200 && status !== '204' && status !== '304';
    const length = hasBody ? Number(headers['content-length']) : 0;
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length !== length) throw new Error(`a body of ${body.length} octets, not ${length}`);
    answers.push({ status: Number(status), headers, body: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
