import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, type Server, startServer, temporaryFolder } from '../commands/command.ts';

interface Health {
  readonly status: string;
  readonly checks: Readonly<
    Record<string, { readonly ok: boolean; readonly state: string; readonly detail?: string }>
  >;
}

async function healthOf(url: string): Promise<Health & { readonly code: number }> {
  const answer = await fetch(new URL('/health', url));
  return { code: answer.status, ...((await answer.json()) as Health) };
}

/** Ask until the health is as wanted. */
async function untilHealth(url: string, isWanted: (health: Health) => boolean) {
  const patience = AbortSignal.timeout(30_000);
  for (;;) {
    const health = await healthOf(url);
    if (isWanted(health)) return health;
    if (patience.aborted) throw new Error(`the health is still ${JSON.stringify(health)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A gathered folder; nothing runs. */
async function site() {
  const folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  for (let n = 0; n < 5; n++) await writeFile(join(folder.path, 'site', `${n}.txt`), `harbour ${n}\n`);
  const gather = ['gatherer', 'run', '--root', 'site', '--base-url', 'https://harbour.example/'];
  const { code, stderr } = await runCommand(gather, here);
  assert.equal(code, 0, stderr);
  return {
    here,
    data: (...names: readonly string[]) => join(folder.path, 'garner-data', ...names),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type Gatherer = Server<{ readonly collect: string }>;
type Broker = Server<{ readonly search: string }>;

test('case a10: health tells of a full disk, of silent sources and of repaired data', async () => {
  await using world = await site();
  const { here, data } = world;
  await using gatherer: Gatherer = await startServer(['gatherer', 'serve', '--port', '0'], here);
  const well = await healthOf(gatherer.ready.collect.replace(/^ws/, 'http'));
  assert.deepEqual([well.code, well.status], [200, 'ok'], JSON.stringify(well));
  assert.deepEqual(Object.keys(well.checks), ['store', 'disk', 'files', 'open-files', 'run']);
  const serve = [
    'broker',
    'serve',
    '--port',
    '0',
    '--collect',
    gatherer.ready.collect,
    '--silent-after',
    '1s',
  ];
  {
    await using broker: Broker = await startServer(serve, here);
    const url = broker.ready.search;
    await untilHealth(url, ({ checks }) => checks.store?.detail === '5 objects');
    assert.equal((await healthOf(url)).status, 'ok');

    // One silent source: the Broker answers as before, and no balancer may take it out.
    await gatherer.stop();
    const silent = await untilHealth(url, ({ status }) => status !== 'ok');
    assert.deepEqual([silent.code, silent.status], [200, 'degraded']);
    assert.match(silent.checks.sources?.detail ?? '', /1 of 1 source silent: .+ \(down\)/);

    // A disk without room: /dev/full refuses every write with ENOSPC.
    await symlink('/dev/full', data('broker', 'health-probe.tmp'));
    const full = await untilHealth(url, ({ status }) => status === 'failing');
    assert.equal(full.code, 503);
    assert.deepEqual(full.checks.store, {
      ...{ ok: false, state: 'fail' },
      detail: 'the store cannot be written or read (ENOSPC)',
    });
    const doctor = await runCommand(['doctor'], here);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /✗ the Broker runs; its check store: fail, .*ENOSPC/);
    assert.match(doctor.stdout, /! the Broker runs; its check sources: warn/);
    await rm(data('broker', 'health-probe.tmp'));
    await untilHealth(url, ({ status }) => status === 'degraded');
  }
  await flip(data('broker', 'store'));
  await using again: Broker = await startServer(serve, here);
  const repaired = await healthOf(again.ready.search);
  assert.deepEqual([repaired.code, repaired.checks.files?.state], [200, 'warn']);
  assert.match(repaired.checks.files?.detail ?? '', /repaired since the start: store/);
});

/** Flip a bit in the middle of the largest log or table of a database. */
async function flip(database: string): Promise<string> {
  let [name, bytes] = ['', Buffer.alloc(0)];
  for (const file of (await readdir(database)).filter((one) => /\.(?:log|ldb)$/.test(one))) {
    const content = await readFile(join(database, file));
    if (content.length > bytes.length) [name, bytes] = [file, content];
  }
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(join(database, name), bytes);
  return name;
}

test('doctor opens the stores: it names damaged files with the cure, and asks a running server', async () => {
  await using world = await site();
  const { here, data } = world;
  const sound = await runCommand(['doctor'], here);
  assert.equal(sound.code, 0, sound.stdout);
  assert.match(sound.stdout, /✓ the data of the Gatherer in .* can be opened: 5 objects, 0 faults/);
  {
    await using _: Gatherer = await startServer(['gatherer', 'serve', '--port', '0'], here);
    const running = await runCommand(['doctor'], here);
    assert.equal(running.code, 0, running.stdout);
    assert.match(running.stdout, /✓ the Gatherer runs, and its health is ok/);
  }
  const name = await flip(data('gatherer', 'store'));
  await truncate(data('gatherer', 'site.json'), 5);
  const damaged = await runCommand(['doctor'], here);
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.stdout,
    new RegExp(`✗ files of the Gatherer .*: store/${name}.*, site\\.json\\n.*gatherer check --repair`),
  );
  const repaired = await runCommand(['gatherer', 'repair'], here);
  assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr);
  assert.equal((await runCommand(['gatherer', 'run'], here)).code, 0);
  const cured = await runCommand(['doctor'], here);
  assert.equal(cured.code, 0, cured.stdout);
});

test('identity and site have a second copy, which heals the first; both damaged is an error that changes nothing', async () => {
  await using world = await site();
  const { here, data } = world;
  const identity = data('gatherer', 'identity.json');
  const text = await readFile(identity, 'utf8');
  const damages: readonly (readonly [string, string])[] = [
    ['a flipped bit', text.replace(/"serverId": "./, (found) => `${found.slice(0, -1)}_`)],
    ['another key', text.replace(/"check"/, '"chesk"')],
    ['a cut', text.slice(0, 40)],
    ['nothing', ''],
  ];
  for (const [what, damaged] of damages) {
    assert.notEqual(damaged, text);
    await writeFile(identity, damaged);
    const run = await runCommand(['gatherer', 'run'], here);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stderr, /identity\.json was damaged and is restored from its other copy/, what);
    assert.equal(await readFile(identity, 'utf8'), text);
  }
  await rm(identity);
  assert.match(
    (await runCommand(['gatherer', 'run'], here)).stderr,
    /identity\.json was missing and is restored/,
  );
  assert.equal(await readFile(identity, 'utf8'), text);
  // The site, too: without it the next run would not know what to gather.
  await truncate(data('gatherer', 'site.json'), 10);
  const run = await runCommand(['gatherer', 'run'], here);
  assert.deepEqual([run.code, /5 summaries/.test(run.stdout)], [0, true], run.stdout + run.stderr);

  await writeFile(identity, text.slice(0, 40));
  await writeFile(`${identity}.copy`, text.slice(0, 50));
  const files = await readdir(data('gatherer'));
  const both = await runCommand(['gatherer', 'run'], here);
  assert.equal(both.code, 1);
  assert.match(both.stderr, /STORE_COPIES(?:.|\n)*backup/);
  assert.deepEqual(await readdir(data('gatherer')), files);
  assert.deepEqual(
    [await readFile(identity, 'utf8'), await readFile(`${identity}.copy`, 'utf8')],
    [text.slice(0, 40), text.slice(0, 50)],
  );
});
