import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { askNearest } from './ask-nearest.ts';

const never = () => new Promise<never>(() => undefined);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks addresses whose probes answer in the order of the test; `asked` has those that were asked. */
function asking(
  addresses: readonly string[],
  {
    probe,
    ask,
  }: { probe?: (address: string) => Promise<unknown>; ask: (address: string) => Promise<string> },
) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const end = new AbortController();
  const answer = askNearest({
    ...{ addresses, clock, deadlineMs: 10_000, signal: end.signal },
    probe: probe ?? (async () => undefined),
    ask: (address) => {
      asked.push(address);
      return ask(address);
    },
    failed: (errors) =>
      new Error(errors.length === 0 ? 'deadline' : errors.map((one) => (one as Error).message).join()),
  });
  answer.catch(() => undefined);
  return { clock, asked, end, answer };
}

test('the Registry that answers first is asked, and the next one where it fails', async () => {
  const probes = new Map<string, () => void>();
  const { asked, answer } = asking(['a', 'b', 'c'], {
    probe: (address) => new Promise<void>((resolve) => probes.set(address, resolve)),
    ask: async (address) => {
      if (address === 'b') throw new Error('b is killed');
      return `answer of ${address}`;
    },
  });
  probes.get('b')?.();
  await settled();
  assert.deepEqual(asked, ['b'], 'nobody waits for the others');
  probes.get('c')?.();
  assert.equal(await answer, 'answer of c');
  assert.deepEqual(asked, ['b', 'c']);
});

test('a Registry that stops in the middle of an answer is not waited for alone', async () => {
  const { clock, asked, answer } = asking(['a', 'b'], {
    ask: async (address) => (address === 'a' ? never() : 'answer of b'),
  });
  await settled();
  assert.deepEqual(asked, ['a']);
  clock.advance(3000);
  assert.equal(await answer, 'answer of b');
});

test('all that is asked ends at one deadline, and with the caller', async () => {
  const stuck = asking(['a', 'b'], { ask: never });
  for (let n = 0; n < 10; n++) {
    await settled();
    stuck.clock.advance(1000);
  }
  await assert.rejects(stuck.answer, /deadline/);
  assert.deepEqual(stuck.asked, ['a', 'b']);
  const ended = asking(['a', 'b'], { ask: never });
  ended.end.abort(new Error('interrupted'));
  await assert.rejects(ended.answer, /interrupted/);
});

test('where no Registry answers each is tried once, and every error is named', async () => {
  const refuse = async (address: string) => {
    throw new Error(`${address} is down`);
  };
  const down = asking(['a', 'b', 'c'], { probe: refuse, ask: refuse });
  await assert.rejects(down.answer, /a is down,b is down,c is down/);
  assert.deepEqual(down.asked, ['a', 'b', 'c']);
  const one = asking(['a'], { probe: never, ask: async () => 'asked at once' });
  assert.equal(await one.answer, 'asked at once');
});
