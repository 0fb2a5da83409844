import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOidOf } from '../awareness/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import type { Message } from '../wire/index.ts';
import { askMessage, readAsk } from './request-message.ts';
import { encodeSourceState } from './state-codec.ts';
import { type Forger, serveForged, tampered, tamperedSession } from './testing/forged-frames.ts';
import { TwoStores } from './testing/two-stores.ts';

const objects = 20;

/** Each message through this function. */
const each =
  (change: (message: Message) => Message): Forger =>
  (message) => ({ messages: [change(message)], cut: false });

interface Attack {
  readonly scheme?: string;
  /** A copy of handles alone, to which the source only adds. */
  readonly handles?: boolean;
  readonly answer?: (message: Message, bench: TwoStores) => Message;
  readonly question?: (message: Message) => Message;
  readonly code: RegExp;
}

/** Possible changes by somebody between client and store to an answer that the store has signed. */
const attacks: Readonly<Record<string, Attack>> = {
  'the difference is passed off as all there is': {
    scheme: 'sketch',
    handles: true,
    answer: (message) => ({ ...message, by: 'signature' }),
    code: /EXCHANGE_MESSAGE|EXCHANGE_UNSIGNED/,
  },
  'another scheme is named': {
    scheme: 'signature',
    answer: (message) => ({ ...message, by: 'log-handles' }),
    code: /EXCHANGE_MESSAGE|EXCHANGE_UNSIGNED/,
  },
  'an object is left out of everything': {
    scheme: 'simple-snapshot',
    answer: (message) => ({ ...message, put: (message.put as unknown[]).slice(1) }),
    code: /EXCHANGE_UNSIGNED/,
  },
  'an object is left out of a part of everything': {
    scheme: 'simple-snapshot',
    answer: ({ type, s, put }) => ({ type, s, put: (put as unknown[]).slice(1) }),
    code: /EXCHANGE_UNSIGNED/,
  },
  'a new life of the store is made up': {
    answer: (message, bench) => ({
      ...message,
      s: encodeSourceState(
        {
          epoch: 'AAAAAAAAAAAAAAAA' as never,
          lsn: 99,
          horizon: 0,
          count: 5,
          fingerprint: new Uint8Array(16),
        },
        bench.url !== '',
      ),
    }),
    code: /EXCHANGE_UNSIGNED/,
  },
  'an item is no item': {
    answer: (message) => (message.s === undefined ? message : { type: 'tell', s: message.s, part: [5] }),
    code: /EXCHANGE_MESSAGE/,
  },
  'the store is made to begin at the end': {
    scheme: 'short-ids',
    question: (message) => {
      const ask = readAsk(message);
      return askMessage({ ...ask, marker: undefined, after: lastOidOf('ÿ'.repeat(16) as never) });
    },
    code: /EXCHANGE/,
  },
  'the store is asked for another scheme': {
    scheme: 'short-ids',
    question: (message) => askMessage({ ...readAsk(message), marker: undefined, scheme: 'tail', held: 0 }),
    code: /EXCHANGE/,
  },
};

for (const [what, { scheme, handles, answer, question, code }] of Object.entries(attacks))
  test(`forged: ${what}; nothing is learned or forgotten`, async () => {
    await using bench = await TwoStores.make();
    await bench.source.apply(Array.from({ length: objects }, (_, n) => bench.put(n, `${n}`)));
    await using honest = await bench.connect();
    const want = { want: { kind: handles === true ? ('handles' as const) : ('objects' as const) } };
    await bench.collect(honest, want);
    await bench.source.apply([
      bench.put(objects, 'new'),
      ...(handles === true ? [] : [bench.put(0, 'changed')]),
    ]);
    const replica = await bench.copy.replica(bench.gatherer.serverId);
    const before = await replica.state();
    const dial = await serveForged(
      bench,
      tampered(
        bench,
        each((message) =>
          answer === undefined || message.type !== 'tell' ? message : answer(message, bench),
        ),
      ),
    );
    await using session = await dial();
    const asking = each((message) =>
      question === undefined || message.type !== 'ask' ? message : question(message),
    );
    await assert.rejects(
      bench.collect(tamperedSession(session, asking), {
        ...want,
        ...(scheme === undefined ? {} : { scheme }),
      }),
      (error) => isGarnerError(error) && code.test(error.code),
    );
    assert.deepEqual(await replica.state(), before);
    await bench.collect(honest, want);
    assert.equal((await replica.state()).count, objects + 1);
    if (handles !== true) await bench.equal();
  });
