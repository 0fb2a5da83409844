import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { ManualClock } from '../../../kernel/index.ts';
import type { CacheAnswer } from '../../requests/request-response.ts';
import { exchange, hear, open, testDoor, untilEnd } from '../../testing/raw-client.ts';
import { acceleratedHosts } from '../accelerated-hosts.ts';
import { ReadyTable } from './ready-table.ts';

/** The steps of a content, piece by piece. */
interface Script {
  readonly status: number;
  readonly reason: string;
  readonly fields: readonly string[];
  readonly lengths: readonly number[];
  readonly is: 'whole' | 'pieces' | 'slow pieces' | 'none';
  /** Declared beside what it is; undefined for a content in chunks. */
  readonly declared: number | undefined;
  readonly breaksOff: boolean;
  readonly trailers: readonly string[];
}

const isBad = ({ reason, fields }: Script) =>
  reason.includes('\n') || fields.some((text) => /^bad|^x-bad/.test(text));

const anyScript: fc.Arbitrary<Script> = fc.record({
  status: fc.constantFrom(200, 200, 200, 203, 204, 206, 304, 404, 500),
  reason: fc.constantFrom('OK', '', 'Nö', 'bad\nreason'),
  fields: fc
    .array(
      fc.constantFrom(
        ...[
          ['Date', 'Sun, 01 Nov 2026 00:00:00 GMT'],
          ['X-Odd', '\xe4 \t|'],
          ['Connection', 'X-Odd'],
        ],
        ...[
          ['Content-Length', '7'],
          ['Transfer-Encoding', 'gzip'],
          ['x-bad', 'a\r\nb: c'],
          ['bad name', 'x'],
        ],
        ...[
          ['Set-Cookie', 'a'],
          ['Set-Cookie', 'b'],
          ['Keep-Alive', 'timeout=1'],
          ['ETag', ''],
        ],
      ),
      { maxLength: 4 },
    )
    .map((fields) => fields.flat()),
  lengths: fc.array(fc.constantFrom(0, 1, 5, 300, 20_000, 100_000), { maxLength: 3 }),
  is: fc.constantFrom('whole', 'pieces', 'slow pieces', 'none'),
  declared: fc.constantFrom(undefined, undefined, 0, 0, 0, 1, -1),
  breaksOff: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  trailers: fc.constantFrom([], ['X-Sum', '1'], ['Content-Type', 'never', 'X-Sum', '2']),
});

// Node's response forgets that an error's answer has content when it has refused the head of one that has none.
const script = anyScript.filter((one) => !isBad(one) || (one.status !== 204 && one.status !== 304));

function answerOf(said: Script): CacheAnswer {
  const { status, reason, fields, lengths, is, declared, breaksOff, trailers } = said;
  const pieces = lengths.map((length, at) => Buffer.alloc(length, 97 + at));
  const all = Buffer.concat(pieces);
  const content = async function* () {
    for (const piece of pieces) {
      if (is === 'slow pieces') await turn();
      yield piece;
    }
    if (breaksOff) throw new Error('broken off');
  };
  return {
    ...{ status, reason, fields, trailers: () => trailers },
    ...(declared !== undefined && is !== 'none' && { contentLength: Math.max(0, all.length + declared) }),
    content: is === 'none' ? undefined : is === 'whole' ? all : content(),
  };
}

/** Two doors that answer the same; one has a lane in which nothing is ready. */
async function doors(scripts: ReadonlyMap<string, Script>) {
  const options = { accelerator: acceleratedHosts(['http://origin.example']), clock: new ManualClock() };
  const answer = ({ url }: { readonly url: string }) => {
    const said = scripts.get(new URL(url).pathname);
    if (said === undefined) return { status: 200, reason: 'OK', fields: [], content: Buffer.from('bye') };
    return answerOf(said);
  };
  const lane = { ready: new ReadyTable(1e6, 15_000) };
  return { plain: await testDoor(answer, options), laned: await testDoor(answer, { ...options, lane }) };
}

const request = (method: string, target: string, lines = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;

test('whatever an answer is, the bytes in a lane are those of a server without one', async () => {
  const scripts = new Map<string, Script>();
  const { plain, laned } = await doors(scripts);
  await using _ = plain;
  await using __ = laned;
  const asked = fc.array(fc.record({ method: fc.constantFrom('GET', 'GET', 'HEAD'), script }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(asked, fc.boolean(), async (list, isPipelined) => {
      for (const [at, { script }] of list.entries()) scripts.set(`/${at}`, script);
      const bytes = list.map(({ method }, at) => request(method, `/${at}`, at % 2 === 0 ? '' : 'X: y\r\n'));
      // A last one that is no plain request ends the connection.
      const said = isPipelined
        ? [[...bytes, request('GET', '/bye', 'Connection: close\r\n')].join('')]
        : bytes.map((one) => one + request('GET', '/bye', 'Connection: close\r\n'));
      for (const one of said) {
        const [ours, nodes] = [await exchange(laned.door, one), await exchange(plain.door, one)];
        // Of an answer that is cut, what was written last may or may not have left.
        const isCut = list.some((of) => of.script.breaksOff || of.script.declared !== undefined);
        const isPart = ours.startsWith(nodes) || nodes.startsWith(ours);
        if (!isCut || !isPart || ours.endsWith('bye') !== nodes.endsWith('bye'))
          assert.equal(ours, nodes, JSON.stringify(list));
      }
    }),
    { numRuns: Math.ceil(Number(process.env.GARNER_TEST_REQUESTS || 75_000) / 375) },
  );
  assert.deepEqual(
    laned.requests.map(({ method, url, fields }) => [method, url, fields]),
    plain.requests.map(({ method, url, fields }) => [method, url, fields]),
  );
});

test('a client that leaves a lane before its answer, or in the middle of it, is one who left', async () => {
  for (const leaves of ['cuts', 'ends'] as const)
    for (const when of ['before', 'amid'] as const) {
      let leave: () => void = () => undefined;
      const left = new Promise<string>((resolve) => {
        leave = () => resolve('left');
      });
      let isReached: () => void = () => undefined;
      const reached = new Promise<void>((resolve) => {
        isReached = resolve;
      });
      const lane = { ready: new ReadyTable(1e6, 15_000) };
      const accelerator = acceleratedHosts(['http://origin.example']);
      const answer = async ({
        signal,
      }: {
        signal: { addEventListener(is: 'abort', reported: () => void): void };
      }) => {
        signal.addEventListener('abort', leave);
        isReached();
        if (when === 'before') await left;
        const content = (async function* () {
          yield Buffer.from('half');
          await left;
        })();
        return { status: 200, reason: 'OK', fields: [], content };
      };
      await using served = await testDoor(answer, { accelerator, lane });
      const socket = await open(served.door);
      socket.write(request('GET', '/'));
      await reached;
      if (when === 'amid') await hear(socket, 'half');
      if (leaves === 'cuts') socket.resetAndDestroy();
      else socket.end();
      assert.equal(await left, 'left', `${leaves} ${when}`);
      if (!socket.destroyed) await Promise.all([untilEnd(socket.resume()), once(socket, 'close')]);
      assert.deepEqual(served.faults, []);
      assert.equal(served.door.activeRequests, 0);
    }
});

test('an answer in a lane is made no faster than the client takes it, and comes whole', async () => {
  const piece = Buffer.alloc(100_000, 'x');
  const pieces = 400;
  for (const contentLength of [undefined, piece.length * pieces]) {
    let made = 0;
    const content = async function* () {
      for (; made < pieces; made++) yield piece;
    };
    const lane = { ready: new ReadyTable(1e6, 15_000) };
    const accelerator = acceleratedHosts(['http://origin.example']);
    const answer = ({ url }: { readonly url: string }) =>
      url.endsWith('/large')
        ? { status: 200, reason: 'OK', fields: [], content: content(), contentLength }
        : { status: 200, reason: 'OK', fields: [], content: Buffer.from('small') };
    await using served = await testDoor(answer, { accelerator, lane });
    const [slow, other] = [await open(served.door), await open(served.door)];
    other.setMaxListeners(0);
    slow.write(request('GET', '/large') + request('GET', '/small', 'Connection: close\r\n'));
    // Each of these is answered after what the slow client's bytes made the door do.
    for (let at = 0; at < 100; at++) {
      other.write(request('GET', '/small'));
      await hear(other, 'small');
    }
    assert.ok(made < pieces / 2, `${made} of ${pieces} pieces were made for a client that takes none`);
    const { text } = await untilEnd(slow);
    assert.ok(text.endsWith('small'));
    assert.equal(text.split('x').length - 1, piece.length * pieces);
    other.destroy();
  }
});
