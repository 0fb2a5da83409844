import { EventEmitter, once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allSettings, groups, runProgram, verbs } from '../../cli/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { publicationOf, publish } from '../../publication/index.ts';
import { identityFrom, newIdentitySecret, summaryObject } from '../../soif/index.ts';
import { Server } from '../harness/child.ts';

/** The load on three Registries of which one is killed. */
export interface Killed {
  readonly requests: number;
  readonly failed: number;
  readonly slowestMs: number;
}

const registered = 200;
const atOnce = 8;
const patienceMs = 60_000;

/** Ports that are free now: each Registry must know those of the others before they listen. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

const silent = (keep: (text: string) => void) => ({
  write: (text: string, done?: (error?: Error | null) => void) => {
    keep(text);
    done?.();
    return true;
  },
  on: () => undefined,
});

/** Run `garner registry list` in this process; resolves to the number of servers, or undefined when it has failed. */
async function listed(addresses: readonly string[], cwd: string): Promise<number | undefined> {
  let output = '';
  const emitter = new EventEmitter();
  const program = {
    name: 'garner',
    version: '0',
    describe: '',
    verbs,
    groups,
    settings: async () => allSettings,
  };
  const args = ['registry', 'list', '--json', ...addresses.flatMap((url) => ['--registry', url])];
  const code = await runProgram(program, args, {
    ...{ cwd, env: {}, stderr: silent(() => undefined) },
    stdout: silent((text) => {
      output += text;
    }),
    interrupts: {
      on: (signal, listener) => emitter.on(signal, listener),
      removeListener: (signal, listener) => emitter.removeListener(signal, listener),
      exit: () => undefined,
    },
  });
  return code === 0 ? (JSON.parse(output) as readonly unknown[]).length : undefined;
}

/** Three Registries in processes of their own, each with the servers of all. One is killed in the middle of the load. */
export async function killedUnderLoad(folder: string, requests: number): Promise<Killed> {
  await mkdir(folder, { recursive: true });
  const ports = await freePorts(3);
  const addresses = ports.map((port) => `http://127.0.0.1:${port}/`);
  const servers: Server<unknown>[] = [];
  await using client = new HttpClient({ userAgent: 'bench', allowHosts: addresses, delayMs: 0, retries: 0 });
  try {
    for (const [at, port] of ports.entries()) {
      const others = ports.filter((other) => other !== port);
      const collects = others.flatMap((other) => ['--collect', `ws://127.0.0.1:${other}/`]);
      const own = ['--port', String(port), '--data', join(folder, `killed-${at}`), '--client-rate', '10000'];
      servers.push(await Server.start(['registry', 'serve', ...own, ...collects], folder));
    }
    const second = Math.floor(systemClock.now() / 1000);
    for (let n = 0; n < registered; n++) {
      const attributes = [
        ['Title', `Library ${n}`],
        ['Software-Version', 'garner/0.2.0'],
        ['Refresh-Rate', 60],
        ['Time-to-Live', 3600],
        ['Update-Time', second],
      ] as const;
      const object = summaryObject(`https://library-${n}.example/`, attributes, 'BROKER');
      const publication = publicationOf(identityFrom(newIdentitySecret()), object, { updatedAt: second });
      await publish(addresses[n % addresses.length] as string, publication, client);
    }
    const until = systemClock.now() + patienceMs;
    for (const address of addresses)
      while ((await listed([address], folder)) !== registered) {
        if (systemClock.now() > until) throw new Error('the Registries do not become equal');
        await sleep(50);
      }
    return await load(servers[0] as Server<unknown>, addresses, requests, folder);
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

async function load(
  first: Server<unknown>,
  addresses: readonly string[],
  requests: number,
  folder: string,
): Promise<Killed> {
  let [started, done, failed, slowestMs] = [0, 0, 0, 0];
  const work = async () => {
    while (started < requests) {
      if (++started === Math.ceil(requests / 2)) process.kill(first.pid, 'SIGKILL');
      const before = performance.now();
      if ((await listed(addresses, folder)) !== registered) failed++;
      slowestMs = Math.max(slowestMs, performance.now() - before);
      done++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { requests: done, failed, slowestMs };
}
