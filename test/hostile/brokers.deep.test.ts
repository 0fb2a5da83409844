import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SearchAnswer, searchesTogether, type TogetherAnswer } from '../../broker/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { jsonOf, runCommand, startServer, temporaryFolder, type UpReady } from '../commands/command.ts';

type Answer = { -readonly [Field in keyof SearchAnswer]: SearchAnswer[Field] };

/** A server with arbitrary answers. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server with the answers of a Broker, and changed answers to searches. */
const pretending = (broker: string, change: (answer: Answer) => unknown) =>
  serve((request, response) => {
    const path = request.url ?? '/';
    const answered = fetch(new URL(path, broker)).then((honest) => honest.text());
    response.setHeader('content-type', 'application/json');
    void answered.then((honest) =>
      response.end(path.startsWith('/search') ? JSON.stringify(change(JSON.parse(honest))) : honest),
    );
  });

const hostile = '\u001b[2J\u001b]0;owned\u0007\u202eevil\r\nfaked';

test('for any answer of another Broker, the honest Brokers are searched and that one is named', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'zoo'));
  for (const name of ['quokka', 'okapi', 'numbat'])
    await writeFile(
      join(folder.path, 'zoo', `${name}.html`),
      `<title>${name}</title><p>animals like ${name}</p>`,
    );
  const here = { cwd: folder.path };
  await using up = await startServer<UpReady>(
    ['up', 'zoo', '--data', 'one', '--port', '0', '--site-port', '0'],
    here,
  );
  const { search } = up.ready;
  let sent = 0;
  await using endless = await serve((_, response) => {
    const more = () => {
      sent += 65_536;
      if (!response.destroyed) response.write(' '.repeat(65_536), () => setImmediate(more));
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    more();
  });
  await using wrong = await pretending(search, (answer) => ({
    ...answer,
    total: 'many',
    hits: { length: 3 },
  }));
  await using other = await serve((_, response) => response.end('<html>'));
  await using many = await pretending(search, (answer) => ({
    ...answer,
    hits: Array.from({ length: 200 }, () => answer.hits[0]),
  }));
  let pages = 0;
  await using liar = await pretending(search, (answer) => {
    pages++;
    const facets = {
      ...answer.facets,
      type: [{ value: 'HTML', count: Number.MAX_SAFE_INTEGER }],
    };
    const {
      hits: [first],
    } = answer;
    return { ...answer, facets, entries: Number.MAX_SAFE_INTEGER, hits: first === undefined ? [] : [first] };
  });
  await using ugly = await pretending(search, (answer) => ({
    ...answer,
    notes: [hostile],
    hits: answer.hits.map((hit, at) => ({
      ...hit,
      ...{
        oid: `${hit.oid.slice(0, -2)}${at}A`,
        url: `http://x/${hostile}`,
        title: hostile,
        snippet: hostile,
      },
      ...{ titleMatches: [], matches: [], score: 1e9, md5: `${at}`.repeat(32) },
    })),
  }));
  const bad = [endless, wrong, other, many].map(({ url }) => url);
  const query = ['broker', 'search', 'animals', '--limit', '20', '--data', 'one'];
  const withAll = [...bad, liar.url, ugly.url].flatMap((url) => ['--with', url]);
  const answer = await jsonOf<TogetherAnswer>([...query, ...withAll], here);
  assert.deepEqual(
    answer.brokers.map(({ counted, total, error }) => [counted, total, error === null]),
    [[true, 3, true], ...bad.map(() => [false, 0, false]), [true, 3, true], [true, 3, true]],
  );
  assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes read of an endless answer`);
  // Its own pages repeat the same hit without end.
  assert.ok(pages <= 110, `${pages} pages requested`);
  assert.equal(answer.total, 9);
  assert.deepEqual(answer.facets.type, [{ value: 'HTML', count: 9 }], 'none counts more than it has');
  assert.ok(answer.hits.length >= 6, `${answer.hits.length}`);
  const { stdout, stderr } = await runCommand([...query, ...withAll], here);
  assert.match(stdout, /without http[\s\S]*quokka/);
  assert.doesNotMatch((stdout + stderr).replaceAll('\n', ''), /\p{Cc}|\p{Cf}/u);
  assert.doesNotMatch(stdout, /^faked/m);
});

test('waiting for a Broker that answers byte by byte has a time limit', async () => {
  const clock = new ManualClock();
  let reached = () => {};
  const asked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  await using drip = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"text":"');
    reached();
  });
  await using client = new HttpClient({
    ...{ userAgent: 'Garner/test', allowHosts: [drip.url], delayMs: 0, retries: 0 },
  });
  const { askAt, brokerBehind, searchTogether } = await searchesTogether();
  const slow = brokerBehind(drip.url, askAt(drip.url, client.fetch, { clock, patienceMs: 5_000 }));
  const quick = brokerBehind('quick', async (path) =>
    path.startsWith('/statistics') ? { text: '[7]' } : empty,
  );
  const asking = searchTogether([slow, quick], {
    q: 'x',
    limit: 10,
    offset: 0,
    sources: [],
    types: [],
    widen: false,
  });
  await asked;
  clock.advance(4_999);
  const early = await Promise.race([asking.then(() => 'answered'), Promise.resolve('waiting')]);
  assert.equal(early, 'waiting');
  clock.advance(1);
  const { brokers, total } = await asking;
  assert.equal(total, 0);
  assert.deepEqual(
    brokers.map(({ counted }) => counted),
    [false, true],
  );
  assert.match(brokers[0]?.error ?? '', /longer than 5 seconds/);
});

const empty: SearchAnswer = {
  ...{ query: 'x', understood: 'x', notes: [], total: 0, entries: 0, tookMs: 1, relaxed: false, hits: [] },
  ...{ facets: { source: [], type: [], more: [] }, sources: [], suggestion: null, corrected: null },
  ...{ rebuilding: null, cursor: null },
};
