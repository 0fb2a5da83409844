import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../store/index.ts';
import { type EngineName, engineNames } from '../topic-broker.ts';
import { ended, killAt, killPlan, killPoint, mortal, pointText, unwatchable } from './by-bytes.ts';
import { judgeIndex, stateOf } from './index-judge.ts';

const writer = fileURLToPath(new URL('./index-writer.js', import.meta.url));
const maxBytes = 1_500_000;
const patienceMs = 60_000;
/** With at least so many kills, each kind of work must have been hit. */
const telling = 60;

/** The record of an index before an engine opens and cleans it. */
interface Unfinished {
  readonly merging: boolean;
  readonly clearing: boolean;
}

async function unfinished(path: string, engine: EngineName): Promise<Unfinished> {
  await using database = await openDatabase(
    join(path, engine === 'flexsearch' ? 'index' : `index-${engine}`),
  );
  const record = await stateOf(database);
  return { merging: record.garbage.length > 0, clearing: record.clearing };
}

for (const engine of engineNames)
  test(`kill -9 while a Broker collects, deletes and merges: its index (${engine}) equals one from scratch`, async (t) => {
    const reason = unwatchable();
    if (reason !== undefined) return t.skip(reason);
    const { seed, kills, random } = killPlan(4);
    t.diagnostic(`GARNER_TEST_SEED=${seed} GARNER_KILLS=${kills}`);
    const folder = await mkdtemp(join(tmpdir(), 'garner-kill-index-'));
    const points: string[] = [];
    const hit: Record<string, number> = {
      collect: 0,
      remove: 0,
      merge: 0,
      rebuild: 0,
      merging: 0,
      clearing: 0,
    };
    let max = 0;
    try {
      for (let kill = 1; kill <= kills; kill++) {
        const point = killPoint(random, maxBytes);
        const child = spawn(
          process.execPath,
          [...mortal.nodeArguments, writer, folder, engine, String(Math.floor(random.next() * 2 ** 32))],
          { stdio: ['ignore', 'pipe', 'inherit', mortal.line] },
        );
        let work = 'opening';
        try {
          assert.ok(child.stdout);
          const lines = createInterface(child.stdout);
          lines.on('line', (line) => {
            work = line;
          });
          // One kill in five happens while it opens the data of an earlier process.
          for (let wait = Math.floor(random.next() * 5); wait > 0; wait--) await once(lines, 'line');
          await killAt(child, point, { signal: AbortSignal.timeout(patienceMs) });
        } finally {
          child.kill('SIGKILL');
          await ended(child);
        }
        points.push(`${work} ${pointText(point)}`);
        hit[work] = (hit[work] ?? 0) + 1;
        const left = await unfinished(folder, engine);
        if (left.merging) hit.merging = (hit.merging ?? 0) + 1;
        if (left.clearing) hit.clearing = (hit.clearing ?? 0) + 1;
        max = Math.max(max, await judgeIndex(folder, engine));
      }
    } catch (error) {
      const where = `GARNER_TEST_SEED=${seed}, kills: ${points.join(', ')}`;
      throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    t.diagnostic(`${max} objects at most; killed while: ${JSON.stringify(hit)}`);
    if (kills < telling) return;
    for (const kind of ['collect', 'remove', 'merge', 'merging'])
      assert.ok((hit[kind] ?? 0) > 0, `no kill hit ${kind}`);
  });
