import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ended, killAt, killPlan, killPoint, mortal, pointText, unwatchable } from './by-bytes.ts';
import { auditStore } from './store-audit.ts';
import { stepAt } from './store-history.ts';
import { plainContents, type StoreContents, Truth } from './store-truth.ts';

const writer = fileURLToPath(new URL('./store-writer.js', import.meta.url));

/** The last recorded step, or -1; and the step begun after it, if any. */
async function lastSteps(log: string): Promise<{ done: number; begun: number }> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const last = (word: string) => Number(lines.findLast((line) => line.startsWith(word))?.split(' ')[1] ?? -1);
  return { done: last('done'), begun: last('begin') };
}

/**
 * Advance the truth from step `next` - 1 to the found contents, which must be the state after the last done step or
 * after an atomic part of the step in progress. Returns the step to continue with.
 */
function followTruth(truth: Truth, found: StoreContents, seed: number, next: number, done: number): number {
  for (let k = next; k <= done; k++) for (const _ of truth.run(stepAt(seed, k)));
  const contents = plainContents(found);
  // The nearest state explains a difference best.
  let nearest = plainContents(truth);
  const agrees = () => {
    if (found.lsn === truth.lsn) nearest = plainContents(truth);
    return isDeepStrictEqual(contents, plainContents(truth));
  };
  if (agrees()) return done + 1;
  for (const last of truth.run(stepAt(seed, done + 1))) if (agrees()) return last ? done + 2 : done + 1;
  assert.deepEqual(contents, nearest, `done was step ${done}, the truth then has LSN ${truth.lsn}`);
  throw new TypeError('the contents differ and are equal');
}

test('kill -9 of a process that writes a store: whole steps and nothing else are found again', async (t) => {
  const reason = unwatchable();
  if (reason !== undefined) return t.skip(reason);
  const { seed, kills, random } = killPlan(10);
  t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-kill-store-'));
  const [path, log] = [join(folder, 'store'), join(folder, 'truth.log')];
  const truth = new Truth();
  const points: string[] = [];
  let next = 0;
  let underWay = 0;
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const point = killPoint(random, 12_000_000);
      points.push(pointText(point));
      const child = spawn(
        process.execPath,
        [...mortal.nodeArguments, writer, path, log, String(seed), String(next)],
        {
          stdio: ['ignore', 'ignore', 'inherit', mortal.line],
        },
      );
      try {
        await killAt(child, point);
      } finally {
        child.kill('SIGKILL');
        await ended(child);
      }
      const { done, begun } = await lastSteps(log);
      if (begun > done) underWay++;
      const found = await auditStore(path);
      next = followTruth(truth, found, seed, next, Math.max(done, next - 1));
    }
  } catch (error) {
    const where = `GARNER_TEST_SEED=${seed}, before step ${next}, kill points ${points.join(', ')}`;
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  t.diagnostic(`killed at these bytes (+ write calls): ${points.join(', ')}`);
  t.diagnostic(
    `${next} steps, ${underWay} kills within a step, ${truth.objects.size} objects, LSN ${truth.lsn}`,
  );
  assert.ok(truth.lsn > Math.min(1000, 10 * kills), 'the history was long enough');
});
