import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type EntryStore, openEntryStore } from '../../cache/index.ts';
import { seededRandom, systemClock } from '../../kernel/index.ts';
import { ended, killAt, killPlan, logarithmic, mortal, unwatchable } from './by-bytes.ts';
import { type CacheStep, cacheContent, cacheKeys, cacheStepAt, tagOf } from './cache-history.ts';

const writer = fileURLToPath(new URL('./cache-writer.js', import.meta.url));

/** The state of a key, as text: the step that stored it, the step of its head, and whether it must be validated. */
type State = string;
const nothing: State = 'nothing';
const stateOf = (stored: number, bytes: number, head: number | undefined, standing = ''): State =>
  `stored by ${stored}, ${bytes} bytes, head ${head ?? 'its own'}${standing}`;

/** The state of a key after a step. */
function after(state: State, key: string, step: CacheStep, number: number): State {
  if (step.do === 'flush') return state;
  if (step.do === 'purge-tag') return tagOf(key) === 'fourth' ? nothing : state;
  if (step.key !== key) return state;
  if (step.do === 'store') return stateOf(number, step.bytes, undefined);
  if (state === nothing || step.do === 'remove' || step.do === 'purge') return nothing;
  const plain = state.replace(/, (?:invalidated|stale)$/, '');
  if (step.do === 'invalidate') return `${plain}, invalidated`;
  if (step.do === 'soft') return plain === state ? `${plain}, stale` : state;
  return plain.replace(/head .*$/, `head ${number}`);
}

async function found(store: EntryStore, key: string): Promise<State> {
  const [entry, ...others] = await store.variants(key);
  if (entry === undefined) return nothing;
  assert.deepEqual(others, []);
  const { fields } = entry.head;
  const stored = Number(fields[1]);
  const pieces: Uint8Array[] = [];
  for await (const piece of store.read(entry)) pieces.push(piece);
  const content = Buffer.concat(pieces);
  assert.ok(content.equals(cacheContent(stored, content.length)), `${key}: not what step ${stored} stored`);
  return stateOf(
    stored,
    content.length,
    fields[3] === undefined ? undefined : Number(fields[3]),
    entry.invalidated ? ', invalidated' : entry.staleSinceMs === undefined ? '' : ', stale',
  );
}

async function lastSteps(log: string): Promise<{ begun: number; onDisk: number }> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const last = (word: string) => Number(lines.findLast((line) => line.startsWith(word))?.split(' ')[1] ?? -1);
  return { begun: last('begin'), onDisk: last('disk') };
}

test('kill -9 of a process that stores responses: flushed responses are found, complete, and purged ones are not', async (t) => {
  const reason = unwatchable();
  if (reason !== undefined) return t.skip(reason);
  const { seed, kills, random } = killPlan(9);
  t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-kill-cache-'));
  const [path, log] = [join(folder, 'cache'), join(folder, 'truth.log')];
  const states = new Map(cacheKeys.map((key) => [key, nothing]));
  let next = 0;
  let flushed = -1;
  let [entries, later] = [0, 0];
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const point = {
        // One process in three lives long, so that every history has contents.
        ...{
          bytes: logarithmic(random, kill % 3 === 0 ? 10_000_000 : 500, 25_000_000),
          how: 'outside' as const,
        },
        count: Math.floor(random.next() * 8),
      };
      const child = spawn(process.execPath, [writer, path, log, String(seed), String(next)], {
        stdio: ['ignore', 'ignore', 'inherit', mortal.line],
      });
      try {
        await killAt(child, point);
      } finally {
        child.kill('SIGKILL');
        await ended(child);
      }
      const { begun, onDisk } = await lastSteps(log);
      flushed = Math.max(flushed, onDisk);
      await using store = await openEntryStore({
        ...{ folder: path, memoryBytes: 2 ** 20, diskBytes: 2 ** 28, largestEntryBytes: 2 ** 24 },
        ...{ clock: systemClock, random: seededRandom(seed) },
      });
      for (const key of cacheKeys) {
        let state = states.get(key) as State;
        for (let number = next; number <= onDisk; number++)
          state = after(state, key, cacheStepAt(seed, number), number);
        const possible = [state];
        for (let number = Math.max(next, onDisk + 1); number <= begun; number++) {
          state = after(state, key, cacheStepAt(seed, number), number);
          possible.push(state);
        }
        const now = await found(store, key);
        const where = `GARNER_TEST_SEED=${seed}, kill ${kill}, steps ${next} to ${begun}, on disk ${onDisk}`;
        assert.ok(possible.includes(now), `${where}: ${key} is ${now}, not ${possible.join(' or ')}`);
        if (now !== possible[0]) later++;
        if (now !== nothing) entries++;
        states.set(key, now);
      }
      assert.equal(store.statistics().damaged, 0);
      next = Math.max(next, begun + 1);
      await store.flush();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  t.diagnostic(`${next} steps, ${entries} entries found, ${later} of them newer than the last flush`);
  assert.ok(next > 100 && entries > 50, 'the history was long enough');
});
