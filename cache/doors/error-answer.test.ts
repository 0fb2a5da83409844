import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { errorAnswer } from './error-answer.ts';

const place = { url: 'http://127.0.0.1:18081/never', why: 'nothing listens there' };
const textOf = (...[error, ofSite]: [Parameters<typeof errorAnswer>[0], boolean]) =>
  Buffer.from(errorAnswer(error, 'garner', ofSite).content as Uint8Array).toString();

test('visitors of an accelerated site are not told where its server stands, clients of a proxy are', () => {
  for (const kind of [
    cacheErrors.CACHE_UNREACHABLE,
    cacheErrors.CACHE_SILENT,
    cacheErrors.CACHE_BROKEN_OFF,
    cacheErrors.CACHE_BAD_RESPONSE,
    cacheErrors.CACHE_ADDRESS_REFUSED,
  ]) {
    const error = failure(kind, place);
    assert.doesNotMatch(textOf(error, true), /127\.0\.0\.1|18081|allow-hosts/, error.code);
    assert.match(textOf(error, true), new RegExp(error.code));
    assert.match(textOf(error, false), /127\.0\.0\.1:18081/, error.code);
  }
  const own = failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'it has two Hosts' });
  assert.match(textOf(own, true), /two Hosts/);
});
