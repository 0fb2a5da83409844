import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import type { CacheRequest } from '../requests/request-response.ts';
import { Fields } from '../rules/fields/fields.ts';
import type { Fetched } from './fetching.ts';
import { SharedFetches } from './shared-fetches.ts';

const requestOf = (at: number): CacheRequest => ({
  ...{ method: 'GET', url: `http://a.example/${at}`, fields: [], version: '1.1', clientAddress: '127.0.0.1' },
  ...{ fromCache: false, signal: new AbortController().signal },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('refreshes that nobody waits for are bounded, and make place for others when they end', async () => {
  const fetches = new SharedFetches(new ManualClock(), 1000);
  const ends: ((how: Fetched | Error) => void)[] = [];
  const fetch = () =>
    new Promise<Fetched>((resolve, reject) => {
      ends.push((how) => (how instanceof Error ? reject(how) : resolve(how)));
    });
  const refresh = (at: number) => fetches.refresh(requestOf(at), fetch);
  for (let at = 0; at < 400; at++) refresh(at);
  refresh(0);
  assert.equal(ends.length, 256);
  ends[0]?.(new Error('down'));
  ends[1]?.({ kind: 'freshened' } as Fetched);
  // A response counts until its content has come.
  let ended = (_: unknown): void => {};
  const content = {
    ended: new Promise((resolve) => {
      ended = resolve;
    }),
    release: () => undefined,
  };
  ends[2]?.({ kind: 'response', storing: true, content } as unknown as Fetched);
  await turn();
  for (let at = 400; at < 500; at++) refresh(at);
  assert.equal(ends.length, 258);
  ended({ entry: undefined });
  await turn();
  for (let at = 500; at < 600; at++) refresh(at);
  assert.equal(ends.length, 259);
});

test('a URL that each fetches for themselves is shared again when the clock is set back', async () => {
  const clock = new ManualClock();
  const fetches = new SharedFetches(clock, 1000);
  let begun = 0;
  const fetch = async () => {
    begun++;
    await turn();
    return { kind: 'response', storing: false } as unknown as Fetched;
  };
  const both = async () => {
    begun = 0;
    const lead = () => fetches.lead(requestOf(1), new Fields([]), fetch, () => true);
    await Promise.all([lead(), lead()]);
    return begun;
  };
  assert.equal(await both(), 1);
  assert.equal(await both(), 2, 'it could not be shared a moment ago');
  clock.advance(-3_600_000);
  assert.equal(await both(), 1);
});
