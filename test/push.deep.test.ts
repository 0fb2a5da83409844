import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, type Server, startServer, temporaryFolder, untilFound } from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

interface GathererReady {
  readonly collect: string;
  readonly pushes: readonly string[];
}
interface BrokerReady {
  readonly search: string;
}
interface GathererStatus {
  readonly serverId: string;
  readonly lsn: number;
  readonly pushSource: string;
  readonly pushes: readonly {
    readonly url: string;
    readonly state: string;
    readonly lsn: number | null;
    readonly error: string | null;
    readonly hint: string | null;
  }[];
}
interface BrokerStatus {
  readonly objects: number;
  readonly sources: readonly {
    readonly name: string;
    readonly url: string;
    readonly state: string;
    readonly error: string | null;
    readonly objects: number;
  }[];
}
interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly cure?: string;
}

/** Repeat until the answer is the expected one; each attempt is a process or a request, so this is no busy loop. */
async function until<Answer>(what: string, ask: () => Promise<Answer>, wanted: (answer: Answer) => boolean) {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() - started > 60_000) throw new Error(`${what}: ${JSON.stringify(answer)}`);
  }
}

test('a Gatherer without a reachable port pushes: new, changed and deleted pages, restarts, strangers', async (t) => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const page = (name: string, text: string) =>
    writeFile(join(folder.path, 'site', `${name}.txt`), `${text}\n`);
  await mkdir(join(folder.path, 'site'));
  await page('a', 'the harbour has moorings');
  await page('b', 'the lighthouse is closed');
  const root = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  await jsonOf(['gatherer', 'run', ...root, '--data', 'g'], here);
  const own = await jsonOf<GathererStatus>(['gatherer', 'status', '--data', 'g'], here);
  assert.match(own.pushSource, new RegExp(`^push:${own.serverId}\\.[\\w-]{43}$`));

  const port = await freePort();
  const brokerAt = `ws://127.0.0.1:${port}`;
  const startBroker = () =>
    startServer<BrokerReady>(
      [...['broker', 'serve', '--data', 'b', '--port', `${port}`], '--collect', own.pushSource],
      here,
    );
  const startGatherer = () =>
    startServer<GathererReady>(
      // The Broker lacks this token, so only the Gatherer can have opened the session.
      [...['gatherer', 'serve', '--data', 'g', '--port', '0', '--name', 'harbour', '--push-to', brokerAt]],
      { ...here, env: { GARNER_WIRE_TOKENS: 'nobody-else-has-this-one' } },
    );
  const status = async ({ search }: BrokerReady) =>
    (await (await fetch(new URL('/status', search))).json()) as BrokerStatus;
  const gathererStatus = () => jsonOf<GathererStatus>(['gatherer', 'status', '--data', 'g'], here);
  const doctor = async () => {
    const args = ['doctor', '--data', 'b', '--collect', own.pushSource, '--json'];
    return JSON.parse((await runCommand(args, here)).stdout) as Finding[];
  };
  const servers: Server<unknown>[] = [];
  t.after(() => Promise.all(servers.map((server) => server.stop())));

  let broker = await startBroker();
  servers.push(broker);
  const waiting = await status(broker.ready);
  assert.deepEqual(
    waiting.sources.map(({ url, state, error }) => [url, state, error]),
    [[`push:${own.serverId}`, 'waiting', null]],
  );
  const shown = await runCommand(['broker', 'status', '--data', 'b'], here);
  assert.match(shown.stdout, /: waiting for its push, 0 objects/);
  assert.ok((await doctor()).some(({ ok, what }) => ok && /^source push:.*waiting for its push$/.test(what)));

  let gatherer = await startGatherer();
  servers.push(gatherer);
  assert.deepEqual(gatherer.ready.pushes, [`${brokerAt}/`]);
  const finds = (query: string, total: number) =>
    untilFound(broker.ready.search, query, (answer) => !answer.relaxed && answer.total === total);
  await finds('moorings', 1);
  await page('c', 'the ferry leaves at noon');
  await finds('ferry', 1);
  await page('a', 'the harbour has buoys');
  await finds('buoys', 1);
  await finds('moorings', 0);
  await rm(join(folder.path, 'site/b.txt'));
  await finds('lighthouse', 0);
  assert.deepEqual(
    (await status(broker.ready)).sources.map(({ name, state, objects }) => [name, state, objects]),
    [['harbour', 'ok', 2]],
  );
  const link = await until('pushed', gathererStatus, ({ lsn, pushes }) => pushes[0]?.lsn === lsn);
  assert.deepEqual(
    link.pushes.map(({ url, state, error, hint }) => [url, state, error, hint]),
    [[`${brokerAt}/`, 'connected', null, null]],
  );

  // The Broker was down; changes during that time are pushed when it is back.
  await broker.stop();
  await page('d', 'the customs house burned');
  const away = await until('the Broker is down', gathererStatus, ({ pushes }) => pushes[0]?.error !== null);
  assert.match(away.pushes[0]?.hint ?? '', /./);
  const report = await runCommand(['doctor', '--data', 'g', '--json'], here);
  assert.ok(
    (JSON.parse(report.stdout) as Finding[]).some(
      ({ ok, what, cure }) => !ok && what.startsWith(`push to ${brokerAt}/: down`) && cure !== undefined,
    ),
    report.stdout,
  );
  broker = await startBroker();
  servers.push(broker);
  await finds('customs', 1);

  // The Gatherer was down.
  await gatherer.stop();
  await until(
    'the Broker waits for it again',
    () => status(broker.ready),
    ({ sources }) => sources[0]?.state === 'waiting',
  );
  await finds('customs', 1);
  await rm(join(folder.path, 'site/c.txt'));
  gatherer = await startGatherer();
  servers.push(gatherer);
  await finds('ferry', 0);
  await finds('buoys', 1);

  // A stranger pushes: it gets a hint, and its objects are refused.
  await mkdir(join(folder.path, 'other'));
  await writeFile(join(folder.path, 'other/x.txt'), 'the stranger has moorings\n');
  await using stranger = await startServer<GathererReady>(
    ['gatherer', 'serve', '--root', 'other', '--data', 's', '--port', '0', '--push-to', brokerAt],
    here,
  );
  const refused = await until(
    'the stranger is refused',
    () => jsonOf<GathererStatus>(['gatherer', 'status', '--data', 's'], here),
    ({ pushes }) => pushes[0]?.error !== null,
  );
  assert.match(refused.pushes[0]?.error ?? '', /does not collect from server .*, which pushes to it/);
  assert.ok(refused.pushes[0]?.hint?.includes(`add ${refused.pushSource} to broker.collect`));
  assert.ok(stranger.log.some(({ msg }) => msg === 'push'));
  await finds('stranger', 0);
  assert.equal((await status(broker.ready)).sources.length, 1);

  // No session to the Gatherer was ever attempted.
  assert.ok(!gatherer.log.some(({ msg }) => msg === 'caller refused'), JSON.stringify(gatherer.log));
  const ended = await Promise.all([gatherer.stop(), broker.stop()]);
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0],
  );
});
