import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { GarnerError } from '../../kernel/index.ts';
import { type RegistryCall, registryAnswer } from './registry-answer.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The error of a call that a server answers so. */
async function errorOf(
  answer: Answer,
  path = '/servers',
  call: RegistryCall = {},
  below = '',
): Promise<GarnerError> {
  const server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${below}`;
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [url], delayMs: 0, retries: 0 });
  try {
    await registryAnswer(url, path, call, { fetch: client.fetch, signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    assert.ok(error instanceof GarnerError, String(error));
    return error;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  throw new Error('the answer was taken');
}

const refusal = (status: number, error: object): Answer => ({ status, body: { error } });

test('a refusal of a Registry has its code, reason and hint, as bounded text without control characters', async () => {
  const none = await errorOf(
    refusal(404, {
      code: 'REGISTRY_NO_SERVER',
      message: 'no server "a" is listed',
      hint: 'list the servers',
    }),
  );
  assert.equal(none.code, 'REGISTRY_REFUSED');
  assert.match(none.message, /^the Registry at \S+ answers: no server "a" is listed \(REGISTRY_NO_SERVER\)$/);
  assert.equal(none.hint, 'list the servers');
  const long = 'x'.repeat(10_000);
  const hostile = await errorOf(
    refusal(400, { code: `\u001b[31m${long}`, message: `a\r\nb\u0007${long}`, hint: `\u202ec\n${long}` }),
  );
  const text = `${hostile.message}${hostile.hint}`;
  assert.ok(text.length < 1000);
  assert.doesNotMatch(text, /[\p{Cc}\u202e]/u);
  assert.match(hostile.message, /answers: a b/);
  const silent = await errorOf(refusal(400, { message: 'no' }));
  assert.match(silent.message, /answers: no$/);
  assert.equal(silent.hint, 'ask the operator of that Registry');
});

test('a decision without the token of a Registry is answered with the variable that holds it', async () => {
  const needed = { code: 'HTTP_TOKEN_NEEDED', message: 'this needs a token', hint: 'send the header' };
  const { hint } = await errorOf(refusal(401, needed), '/control/applications');
  assert.match(hint, /GARNER_REGISTRY_TOKEN/);
  assert.match((await errorOf(refusal(401, needed))).hint, /set GARNER_REGISTRY_TOKEN to a token of/);
});

test('a token that a Registry does not know, and a value that it refuses, are named as such', async () => {
  const needed = { code: 'HTTP_TOKEN_NEEDED', message: 'this needs a token', hint: 'send the header' };
  const unknown = await errorOf(refusal(401, needed), '/control/applications', { token: 'wrong-token' });
  assert.match(unknown.message, /it does not know the token, or that has expired/);
  assert.match(unknown.hint, /GARNER_REGISTRY_TOKEN holds a token that is not valid there/);
  for (const code of ['BROKER_QUERY', 'HTTP_BAD_PARAMETER']) {
    const wrong = await errorOf(refusal(400, { code, message: 'no such', hint: 'see /openapi.json' }));
    assert.deepEqual([wrong.code, wrong.exit], ['CLI_USAGE', 2]);
    assert.doesNotMatch(wrong.hint, /openapi/);
  }
  const hint = 'garner registry list shows the servers with their ids';
  const absent = await errorOf(refusal(404, { code: 'REGISTRY_NO_SERVER', message: 'none', hint }));
  assert.match(absent.hint, /^garner registry list --registry http:\S+ shows/);
});

test('a server that is not a Registry is named as such, whatever it answers', async () => {
  const broker = {
    code: 'HTTP_NOT_FOUND',
    message: 'nothing is served at this path',
    hint: 'see /openapi.json',
  };
  const other: readonly (readonly [Answer, RegExp])[] = [
    [refusal(404, broker), /another server listens there, which has no \/servers$/],
    [{ status: 404, body: '<title>Not found</title>' }, /status 404/],
    [{ status: 200, body: '<title>Welcome</title>' }, /not JSON/],
    [{ status: 200, body: {} }, /has no servers/],
    [{ status: 200, body: null }, /has no servers/],
  ];
  for (const [answer, why] of other) {
    const { code, message, hint } = await errorOf(answer, '/servers?type=broker', { list: 'servers' });
    assert.equal(code, 'REGISTRY_REMOTE');
    assert.match(message, why);
    assert.match(hint, /check the address, and that the Registry runs: it listens on port 8502/);
  }
  const below = await errorOf(refusal(404, broker), '/servers', {}, 'foo');
  assert.match(below.message, /nothing is served below its path \/foo\/; leave the path out/);
});
