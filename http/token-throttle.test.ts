import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../kernel/index.ts';
import { serveHttp } from './server.ts';
import { TokenTable } from './tokens.ts';

const admin = 'an-admin-token';
const made = `garner_${'A'.repeat(32)}`;

/** Try a token and return the time of the answer, in milliseconds of the clock; undefined while it waits. */
function shown(table: TokenTable, clock: ManualClock, token: string, client = '') {
  const from = clock.now();
  const answer: { ms?: number; name?: string | undefined; code?: string } = {};
  table.callerOf(token, client).then(
    (caller) => Object.assign(answer, { ms: clock.now() - from, name: caller?.name }),
    (error: { code: string }) => Object.assign(answer, { ms: clock.now() - from, code: error.code }),
  );
  return answer;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the answers to wrong tokens wait ever longer, those to right ones never, and wrong ones are forgotten', async () => {
  const clock = new ManualClock();
  const table = new TokenTable({ admin: [admin] }, false, clock);
  const waits: (number | undefined)[] = [];
  for (let guess = 0; guess < 12; guess++) {
    const answer = shown(table, clock, `wrong-token-${guess}`);
    for (let passed = 0; passed < 2000 && answer.ms === undefined; passed += 100) {
      await turn();
      if (answer.ms === undefined) clock.advance(100);
    }
    await turn();
    waits.push(answer.ms);
    const right = shown(table, clock, admin);
    await turn();
    assert.deepEqual(right, { ms: 0, name: 'http.admin-tokens 1' });
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 100, 200, 400, 800, 1600, 2000, 2000]);
  clock.advance(60 * 60_000);
  const later = shown(table, clock, 'wrong-token');
  await turn();
  assert.equal(later.ms, 0);
});

test('case a02: a flood of guesses gains nothing by speed, and slows down nobody but its own address', async () => {
  const clock = new ManualClock();
  const table = new TokenTable({ admin: [admin, made] }, false, clock);
  const flood = Array.from({ length: 1000 }, (_, n) => shown(table, clock, `wrong-token-${n}`, '192.0.2.1'));
  await turn();
  const waiting = () => flood.filter(({ ms }) => ms === undefined).length;
  assert.equal(waiting(), 64, 'as many wait as may');
  const [beside, own] = [shown(table, clock, admin, '192.0.2.2'), shown(table, clock, made, '192.0.2.1')];
  const same = shown(table, clock, admin, '192.0.2.1');
  await turn();
  assert.deepEqual(beside, { ms: 0, name: 'http.admin-tokens 1' }, 'another address does not wait');
  assert.deepEqual(
    own,
    { ms: 0, name: 'http.admin-tokens 2' },
    'a token that cannot be guessed does not wait',
  );
  assert.equal(same.ms, undefined, 'from the address of the flood right and wrong ones wait alike');
  clock.advance(2000);
  await turn();
  assert.equal(waiting(), 0, 'nothing waits longer than the longest');
  assert.deepEqual(same, { ms: 2000, name: 'http.admin-tokens 1' }, 'and the right one is answered');
});

test('of the tokens that are checked late, no more than so many wait for one address', async () => {
  const clock = new ManualClock();
  const table = new TokenTable({ admin: [admin] }, false, clock);
  for (let n = 0; n < 80; n++) shown(table, clock, `wrong-token-${n}`, '192.0.2.1');
  await turn();
  const late = Array.from({ length: 65 }, () => shown(table, clock, admin, '192.0.2.1'));
  await turn();
  assert.equal(late.filter(({ ms }) => ms === undefined).length, 64);
  assert.equal(late.at(-1)?.code, 'HTTP_GUESSING');
});

test('over HTTP a wrong token waits, on existing and on unknown paths; a request without a token does not', async () => {
  const clock = new ManualClock();
  const secret = { method: 'GET', path: '/secret', summary: 's', scope: 'admin' } as const;
  await using server = await serveHttp({
    routes: [{ ...secret, handle: () => ({ json: 'yes' }) }],
    ...{ port: 0, clock },
    ...{ title: 'T', version: '1', tokens: { admin: [admin] }, requireToken: true },
    limits: { closeGraceMs: 0 },
  });
  const status = async (path: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(new URL(path, server.url), { headers })).status;
  };
  for (let guess = 0; guess < 5; guess++) assert.equal(await status('/secret', 'wrong-token'), 401);
  for (const path of ['/secret', '/nowhere']) {
    let answered = false;
    const late = status(path, 'wrong-token').then((code) => {
      answered = true;
      return code;
    });
    // While it waits others are answered.
    for (let others = 0; others < 3; others++) assert.equal(await status('/secret', admin), 200);
    assert.equal(await status('/secret'), 401);
    assert.ok(!answered, path);
    clock.advance(2000);
    assert.equal(await late, 401);
  }
});
