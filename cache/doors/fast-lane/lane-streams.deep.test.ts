import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../../kernel/index.ts';
import { forgedHead } from '../../testing/forged-heads.ts';
import { forgedMessage } from '../../testing/forged-messages.ts';
import { Bed, goodbye, head, said, shown } from '../../testing/lane-harness.ts';

const rounds = Math.ceil(
  Number(process.env.GARNER_TEST_STREAMS || Number(process.env.GARNER_TEST_REQUESTS || 75_000) / 500),
);
const seed = Number(process.env.GARNER_TEST_SEED || 1994);

/** URLs and contents of answers that were read one after another; those to HEAD have none. */
function answersIn(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at) + 4;
    const fields = text.slice(at, end);
    if (fields.startsWith('HTTP/1.1 100 ')) {
      at = end;
      continue;
    }
    if (!fields.startsWith('HTTP/1.1 200 OK\r\n')) return found;
    const length = Number(/^Content-Length: (\d+)\r$/m.exec(fields)?.[1]);
    const url = /^X-Url: (.*)\r$/m.exec(fields)?.[1];
    const bodiless = end === text.length || text.startsWith('HTTP/1.1 ', end);
    at = bodiless ? end : end + length;
    found.push(`${url} ${bodiless ? '' : shown(text.slice(end, at))}`);
  }
  return found;
}

function cutIntoPieces(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  // Now and then nearly byte by byte.
  const [rest, max] = random.next() < 0.03 ? [0.02, 4] : [0.5, 200];
  for (let at = 0; at < bytes.length; ) {
    const end = random.next() < rest ? bytes.length : at + 1 + Math.floor(random.next() * max);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

function stream(random: Random): Buffer {
  const requests: readonly (() => string | Buffer)[] = [
    () => head('GET', '/ready1'),
    () => head('GET', '/ready2000', 'Accept: */*\r\n'),
    () => head('HEAD', '/ready1'),
    () => head('GET', '/ready30000'),
    () => head('GET', 'http://b.example/ready', '').replace('a.example', 'b.example'),
    () => head('GET', `/other${Math.floor(random.next() * 100)}`),
    () => `${head('POST', '/ready1', 'Content-Length: 5\r\n')}hello`,
    () => `${head('POST', '/post', 'Transfer-Encoding: chunked\r\n')}5\r\nGET /\r\n0\r\n\r\n`,
    () => head('GET', '/ready1', 'Content-Length: 33\r\n') + head('GET', '/ready1').slice(0, 33),
    () => head('GET', '/ready1', 'Cache-Control: no-cache\r\n'),
    () => head('GET', '/ready1', 'Authorization: a\r\nUnknown: b\r\n'),
    () => head('GET', '/ready1', `Cookie: ${'c'.repeat(8000 + Math.floor(random.next() * 300))}\r\n`),
    () => head('GET', '/ready1', `Accept: a\r\nUnknown: ${'u'.repeat(20_000)}\r\n`),
    () => forgedHead(random),
    () => forgedMessage(random),
    () => forgedMessage(random),
    () => forgedMessage(random),
  ];
  const parts: Buffer[] = [];
  for (let count = 1 + Math.floor(random.next() * 8); count > 0; count--) {
    // Unusual ones are rarer, so that streams stay in the lane for a while.
    const kind = random.next() < 0.75 ? 6 : requests.length;
    parts.push(
      Buffer.from((requests[Math.floor(random.next() * kind)] as () => string)() as never, 'latin1'),
    );
  }
  // Node sends 100 between the head and the content of a queued answer, so that cannot be compared.
  const text = Buffer.concat([...parts, goodbye]).toString('latin1');
  return Buffer.from(text.replaceAll('Expect: 100', 'Accept: 100'), 'latin1');
}

test(`${rounds} streams of requests, in whatever pieces, are answered as without the lane`, async (t) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  await using plain = await new Bed({ lane: false }).listen();
  await using laned = await new Bed({ lane: true }).listen();
  let whole = 0;
  for (let round = 0; round < rounds; round++) {
    const bytes = stream(random);
    plain.gave = [];
    const refused = (await said(plain, [bytes])).includes('HTTP/1.1 400 ');
    const read = !refused && plain.gave.at(-1)?.startsWith('/bye ') === true;
    const answers = answersIn(await said(laned, cutIntoPieces(bytes, random)));
    // Bytes after an invalid request are not read, and Node then drops waiting answers.
    const expected = read ? plain.gave : plain.gave.slice(0, answers.length);
    assert.deepEqual(answers, expected, JSON.stringify(bytes.toString('latin1')));
    whole += read ? 1 : 0;
  }
  assert.ok(whole > rounds / 3, `only ${whole} streams could be read to their end`);
  assert.ok((laned.lane?.answered.requests ?? 0) > rounds, `${laned.lane?.answered.requests}`);
  assert.equal(laned.lane?.connections, 0);
});
