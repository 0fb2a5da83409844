import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request as startRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, startServer, temporaryFolder } from '../commands/command.ts';
import { runHere } from '../commands/command-here.ts';

interface Ready {
  readonly cache: string;
  readonly admin: string;
}

const limit = { timeout: 90_000, skip: process.platform !== 'linux' && 'needs /proc' };
const pages = 20;

/** An origin whose pages name their version, and a cache of several processes in front of it. */
async function openCacheOf(processes: number) {
  const folder = await temporaryFolder();
  let version = 1;
  let fetches = 0;
  const origin = createServer((request, response) => {
    fetches += 1;
    if (request.method === 'PUT') version += 1;
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(`${request.url} ${version}`);
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const data = join(folder.path, 'data');
  const server = await startServer<Ready>([
    ...['cache', 'serve', '--origin', url, '--port', '0', '--data', data],
    ...['--workers', String(processes)],
  ]);
  const port = Number(new URL(server.ready.cache).port);
  const metric = async (name: string) => {
    const text = await (await fetch(new URL('metrics', server.ready.admin))).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  return {
    ...{ server, port, data, url },
    change: () => {
      version += 1;
      return version;
    },
    get version() {
      return version;
    },
    get fetches() {
      return fetches;
    },
    workers: () => childrenOf(server.pid).filter(isAlive),
    metric,
    /** Wait until so many workers answer. */
    allHere: (count: number) =>
      until(
        'workers',
        async () =>
          (await metric('garner_cache_workers')) === count &&
          childrenOf(server.pid).filter(isAlive).length === count,
      ),
    purge: async (...target: readonly string[]) => {
      const { code, stderr } = await runHere(['cache', 'purge', ...target, '--data', data]);
      assert.equal(code, 0, stderr);
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      origin.closeAllConnections();
      origin.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Child processes of a process. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  });
}

/** CPU time of a process, in ticks. */
function usedBy(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Whether one of them has used more CPU from now on than a start needs. */
function hasWorked(pids: readonly number[]): () => boolean {
  const before = new Map(pids.map((pid) => [pid, usedBy(pid)]));
  return () => pids.some((pid) => usedBy(pid) > (before.get(pid) ?? 0) + 20);
}

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isSo()); turn++) {
    assert.ok(turn < 2400, `time-out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

interface Heard {
  readonly status: number;
  readonly text: string;
}

/** Send a request on a persistent connection of the agent. */
function ask(port: number, path: string, agent: Agent, method = 'GET'): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const request = startRequest({ port, host: '127.0.0.1', path, agent, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
}

/**
 * Clients that send requests without end, each on its own connection, which is opened again when it breaks and at
 * intervals.
 */
function load(port: number, clients: number, judge: (path: string, heard: Heard, atMs: number) => void) {
  const stop = new AbortController();
  const counts = { answered: 0, broken: 0 };
  const work = async (client: number) => {
    // One after the other: the system gives simultaneous connections to one process.
    await new Promise((resolve) => setTimeout(resolve, 20 * client));
    let agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = client; !stop.signal.aborted; turn++) {
      const path = `/page-${turn % pages}`;
      const atMs = performance.now();
      const heard = await ask(port, path, agent).catch(() => undefined);
      if (heard === undefined) {
        counts.broken += 1;
      } else {
        counts.answered += 1;
        judge(path, heard, atMs);
        if (counts.answered % 200 > 0) continue;
      }
      // A connection stays in the process that accepted it: only new ones reach a new worker.
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: 1 });
    }
    agent.destroy();
  };
  const works = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return {
    counts,
    stop: async () => {
      stop.abort();
      await works;
    },
  };
}

test(
  'a worker killed under load is started again, and only requests on its connections are lost',
  limit,
  async (t) => {
    await using cache = await openCacheOf(2);
    await cache.allHere(1);
    const clients = 16;
    const under = load(cache.port, clients, (path, { status, text }) => {
      assert.equal(status, 200);
      assert.equal(text, `${path} 1`);
    });
    try {
      let killed = 0;
      for (; killed < 4; killed++) {
        await cache.allHere(1);
        const [worker = 0] = cache.workers();
        // A worker that has answered requests, so that some are lost with it.
        await until('work of the worker', hasWorked([worker]));
        process.kill(worker, 'SIGKILL');
        await until('its end', () => !isAlive(worker));
      }
      await cache.allHere(1);
      const { answered } = under.counts;
      await until('further answers', () => under.counts.answered > answered + 200);
      t.diagnostic(`${under.counts.answered} answered, ${under.counts.broken} broken off`);
      assert.ok(under.counts.broken <= killed * clients, `${under.counts.broken} requests broken off`);
    } finally {
      await under.stop();
    }
    assert.equal(await cache.metric('garner_cache_workers_lost_total'), 4);
    assert.equal(cache.fetches, pages);
  },
);

test('after a purge or a change under load, no process serves the old response', limit, async (t) => {
  await using cache = await openCacheOf(3);
  await cache.allHere(2);
  /** From when on no answer may be older than a version. */
  let [oldest, sinceMs] = [1, 0];
  const faults: string[] = [];
  const under = load(cache.port, 12, (path, { text }, atMs) => {
    const version = Number(text.split(' ')[1]);
    if (atMs > sinceMs && version < oldest) faults.push(`${path}: ${version} after ${oldest}`);
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const changes = Number(process.env.GARNER_TEST_CHANGES || 4);
  try {
    for (let change = 0; change < changes; change++) {
      const { answered } = under.counts;
      await until('answers', () => under.counts.answered > answered + 400);
      const version = cache.change();
      await cache.purge(...(change % 2 === 0 ? ['--all'] : ['--prefix', `${cache.url}/`]));
      [oldest, sinceMs] = [version, performance.now()];
    }
    // After the answer to a change of a page, all clients see the change.
    for (let change = 0; change < 4 * changes; change++) {
      await ask(cache.port, '/page-3', agent, 'PUT');
      const asked = Array.from({ length: 6 }, () =>
        ask(cache.port, '/page-3', new Agent({ keepAlive: true })),
      );
      for (const { text } of await Promise.all(asked)) assert.equal(text, `/page-3 ${cache.version}`);
    }
  } finally {
    await under.stop();
    agent.destroy();
  }
  t.diagnostic(`${under.counts.answered} answers`);
  assert.deepEqual(faults, []);
  assert.equal(await cache.metric('garner_cache_workers_lost_total'), 0);
});

test('a stopped worker is ended, so that a purge does not wait for it', limit, async () => {
  await using cache = await openCacheOf(2);
  await cache.allHere(1);
  const under = load(cache.port, 8, () => undefined);
  const [worker = 0] = cache.workers();
  await until('work of the worker', hasWorked([worker]));
  process.kill(worker, 'SIGSTOP');
  const began = performance.now();
  await cache.purge('--all');
  assert.ok(performance.now() - began < 20_000);
  assert.equal(isAlive(worker), false);
  await cache.allHere(1);
  await under.stop();
});

test('the hits of all processes are counted', limit, async () => {
  await using cache = await openCacheOf(3);
  await cache.allHere(2);
  const under = load(cache.port, 9, () => undefined);
  const workers = cache.workers();
  await until('work of a worker', hasWorked(workers));
  await under.stop();
  await until('the count', async () => {
    const text = await (await fetch(new URL('metrics', cache.server.ready.admin))).text();
    const counted = [...text.matchAll(/^garner_cache_requests_total\{.*\} (\d+)$/gm)];
    return counted.reduce((sum, [, count]) => sum + Number(count), 0) === under.counts.answered;
  });
  assert.equal(under.counts.broken, 0);
});

test('the end of the process with the store ends its workers, after a stop or a kill', limit, async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await using cache = await openCacheOf(3);
    await cache.allHere(2);
    const idle = connect(cache.port, '127.0.0.1');
    idle.on('error', () => undefined);
    await once(idle, 'connect');
    idle.resume();
    const closed = once(idle, 'close');
    const workers = cache.workers();
    if (signal === 'SIGKILL') process.kill(cache.server.pid, signal);
    else assert.equal((await cache.server.stop()).code, 0);
    await until('their end', () => !workers.some(isAlive));
    await closed;
  }
});

test('SIGHUP ends no worker', limit, async () => {
  await using cache = await openCacheOf(2);
  await cache.allHere(1);
  const workers = cache.workers();
  for (const pid of [...workers, cache.server.pid]) process.kill(pid, 'SIGHUP');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; turn < 50; turn++) assert.equal((await ask(cache.port, '/page-1', agent)).status, 200);
  agent.destroy();
  assert.deepEqual(cache.workers(), workers);
  assert.equal(await cache.metric('garner_cache_workers_lost_total'), 0);
});

test('workers need the fast lane', limit, async () => {
  await using folder = await temporaryFolder();
  const { code, stderr } = await runCommand([
    ...[
      'cache',
      'serve',
      '--proxy',
      '--port',
      '0',
      '--data',
      folder.path,
      '--workers',
      '2',
      '--no-fast-lane',
    ],
  ]);
  assert.notEqual(code, 0);
  assert.match(stderr, /cache\.workers.*fast lane/s);
});
