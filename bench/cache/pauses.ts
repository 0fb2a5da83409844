import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMillion } from './million.ts';

/** The pauses of the event loop during an operation on a store of very many objects. */
interface Pauses {
  readonly what: string;
  readonly seconds: number;
  /** The longest iteration of the event loop, in CPU milliseconds of this thread only. */
  readonly maxMs: number;
  /** Iterations of more than 10 ms. */
  readonly above10Ms: number;
}

const keptBytes = 3 * 2 ** 27;
const documents = 'http://www.example.org/some/folder/of/documents/';

/** CPU milliseconds of this thread. */
function threadTime(): { readonly now: () => number; readonly close: () => void } {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  const now = () =>
    Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1e6;
  return { now, close: () => closeSync(file) };
}

/** Open, purge and shrink the store that `cache-fill` made in a folder, and measure each operation. */
export async function probeCachePauses([folder = '']: readonly string[]): Promise<readonly Pauses[]> {
  const time = threadTime();
  const all: Pauses[] = [];
  let [last, maxMs, above10Ms, isOver] = [0, 0, 0, false];
  const turn = () => {
    const now = time.now();
    maxMs = Math.max(maxMs, now - last);
    if (now - last > 10) above10Ms++;
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const measure = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    await sleep(50);
    [last, maxMs, above10Ms] = [time.now(), 0, 0];
    const started = performance.now();
    const result = await work();
    const seconds = (performance.now() - started) / 1000;
    await sleep(20);
    all.push({ what, seconds, maxMs, above10Ms });
    return result;
  };
  {
    await using opened = await measure('opening', () => openMillion(folder));
    const { store } = opened;
    await measure('a purge by a tag that nothing has', () => store.purge({ tag: 'x' }, { soft: false }));
    await measure('a soft purge of a ninth', () => store.purge({ prefix: `${documents}1` }, { soft: true }));
    await measure('a purge of a ninth', () => store.purge({ prefix: `${documents}2` }, { soft: false }));
    await measure('the hottest', () => store.top('hits', 20));
  }
  await using opened = await measure('opening with less room', () => openMillion(folder, keptBytes));
  const { store } = opened;
  await measure('shrinking to less room', async () => {
    while (store.statistics().diskBytes > keptBytes) await sleep(100);
    await sleep(1000);
  });
  await measure('a purge of all', () => store.purge({ all: true }, { soft: false }));
  isOver = true;
  await sleep(0);
  time.close();
  return all;
}
