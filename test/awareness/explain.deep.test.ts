import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AwarenessReport } from '../../broker/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from '../commands/command-here.ts';

interface GathererReady {
  readonly collect: string;
}
interface BrokerReady {
  readonly search: string;
}
type Rounds = readonly { readonly schemes: readonly string[] }[];

test('explain queries the running Broker, or opens its folder, and reports the cost of each scheme', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (let n = 0; n < 40; n++) await writeFile(join(folder.path, 'site', `${n}.txt`), `document number ${n}`);
  await using gatherer = await startServer<GathererReady>(
    ['gatherer', 'serve', '--root', 'site', '--data', 'g', '--port', '0'],
    here,
  );
  const { collect } = gatherer.ready;
  const source = [collect, '--data', 'b'];
  await jsonOf(['gatherer', 'run', '--data', 'g'], here);
  {
    await using broker = await startServer<BrokerReady>(
      ['broker', 'serve', '--collect', collect, '--data', 'b', '--port', '0'],
      here,
    );
    const rounds = await jsonOf<Rounds>(['broker', 'collect', '--scheme', 'signature', '--data', 'b'], here);
    assert.deepEqual(rounds[0]?.schemes, ['signature'], 'the running Broker answered');
    const asked = await jsonOf<AwarenessReport>(['awareness', 'explain', ...source], here);
    assert.deepEqual([asked.count, asked.held, asked.same], [40, 40, true]);
    const signature = asked.schemes.find(({ scheme }) => scheme === 'signature');
    assert.ok((signature?.measured?.bytesDown ?? 0) > 40 * 32);
    const refused = await fetch(new URL('/control/awareness?source=x', broker.ready.search));
    assert.ok(refused.status === 401 || refused.status === 403, `${refused.status}`);
  }
  await rm(join(folder.path, 'site/1.txt'));
  await writeFile(join(folder.path, 'site/2.txt'), 'changed');
  await jsonOf(['gatherer', 'run', '--data', 'g'], here);
  const opened = await jsonOf<AwarenessReport>(['awareness', 'explain', ...source, '--measure'], here);
  assert.deepEqual([opened.count, opened.held, opened.same, opened.want], [39, 40, false, 'handles']);
  assert.ok(
    opened.schemes.every(({ reason, measured, skipped }) => (reason ?? skipped ?? measured) !== null),
  );
  const { code, stdout, stderr } = await runCommand(['awareness', 'explain', ...source], here);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /39 objects there, 40 objects here; \d+ changes since the marker/);
  assert.match(stdout, /^\* log +\d/m);
  assert.match(stdout, /^ {2}handle-snapshot: a handle alone does not show an update in place$/m);
  const unknown = await runCommand(['awareness', 'explain', 'nobody', '--data', 'b'], here);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /BROKER_NO_SOURCE/);
});

test('a configured filter applies to a collection, is named by the status, and may change', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (const name of ['keep-a', 'keep-b', 'leave'])
    await writeFile(join(folder.path, 'site', `${name}.txt`), `a document: ${name.slice(0, 5)}`);
  await using gatherer = await startServer<GathererReady>(
    ['gatherer', 'serve', '--root', 'site', '--data', 'g', '--port', '0'],
    here,
  );
  await jsonOf(['gatherer', 'run', '--data', 'g'], here);
  const { collect } = gatherer.ready;
  interface Status {
    readonly objects: number;
    readonly sources: readonly { readonly filter: unknown; readonly state: string }[];
  }
  const collected = async (filter: string) => {
    const config = `broker:\n  collect: ['${collect}']\n  filters: [{ source: '${collect}', ${filter} }]\n`;
    await writeFile(join(folder.path, 'garner.yaml'), config);
    await jsonOf(['broker', 'collect', '--data', 'b'], here);
    return jsonOf<Status>(['broker', 'status', '--data', 'b'], here);
  };
  const first = await collected('query: keep');
  assert.deepEqual([first.objects, first.sources[0]?.filter], [2, { query: 'keep' }]);
  const { stdout } = await runCommand(['broker', 'status', '--data', 'b'], here);
  assert.match(stdout, /; filter: keep$/m);
  assert.equal((await collected('query: NOT keep')).objects, 1);
  const aged = await collected('max-age: 1d');
  assert.equal(aged.objects, 3, 'all were written just now');
  const { code, stderr } = await runCommand(['broker', 'collect', '--scheme', 'log', '--data', 'b'], here);
  assert.equal(code, 0, stderr);
  await writeFile(
    join(folder.path, 'garner.yaml'),
    "broker.filters: [{ source: 'ws://x/', query: 'a AND' }]\n",
  );
  const wrong = await runCommand(['broker', 'status', '--data', 'b'], here);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /broker\.filters\[0\]\.query is "a AND"/);
});
