import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithUs, Server } from '../harness/child.ts';
import { freePort, untilListening } from '../harness/peer-ports.ts';
import { treeCpuSeconds, treeOf } from '../harness/process-tree.ts';
import { keepOnServerCore } from '../programs/wrk.ts';
import { type CachePeer, cachePeers } from './peers.ts';

/** The measured caches, Garner first. */
export const cacheNames = ['garner', ...cachePeers.map(({ name }) => name)] as const;
export type CacheName = (typeof cacheNames)[number];

/** A running cache in front of the origin, on the server's core. */
export interface CacheServer extends AsyncDisposable {
  readonly name: CacheName;
  /** Ends in a slash. */
  readonly url: string;
  /** CPU seconds of all its processes so far. */
  readonly cpuSeconds: () => number;
}

const stopMs = 15_000;
const settleMs = 30_000;

/** Whether this cache can be measured here. */
export function isInstalled(name: CacheName): boolean {
  const peer = cachePeers.find((one) => one.name === name);
  return peer === undefined || existsSync(peer.program);
}

/** Start a cache with its own data folder below `folder`. */
export async function startCache(
  name: CacheName,
  { folder, originPort }: { readonly folder: string; readonly originPort: number },
): Promise<CacheServer> {
  const own = join(folder, name);
  await mkdir(own);
  const peer = cachePeers.find((one) => one.name === name);
  const started =
    peer === undefined ? await startGarner(own, originPort) : await startPeer(peer, own, originPort);
  await untilCached(started);
  for (const pid of treeOf(started.pid)) keepOnServerCore(pid);
  return started;
}

async function startGarner(folder: string, originPort: number): Promise<CacheServer & { pid: number }> {
  const origin = `http://127.0.0.1:${originPort}`;
  const args = ['--origin', origin, '--port', '0', '--data', folder];
  const server = await Server.start<{ readonly cache: string }>(['cache', 'serve', ...args], folder);
  return {
    ...{ name: 'garner', url: server.said.cache, pid: server.pid },
    cpuSeconds: () => server.cpuSeconds,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startPeer(
  peer: CachePeer,
  folder: string,
  originPort: number,
): Promise<CacheServer & { pid: number }> {
  const port = await freePort();
  const args = await peer.configure({ folder, port, originPort });
  const child = spawn(peer.program, args, { cwd: folder, stdio: 'ignore' });
  endsWithUs(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${peer.name} did not start`);
  await untilListening(port);
  return {
    ...{ name: peer.name, url: `http://127.0.0.1:${port}/`, pid },
    cpuSeconds: () => treeCpuSeconds(pid),
    [Symbol.asyncDispose]: () => stopped(child),
  };
}

/** Wait until the cache answers with 200: some caches listen before they can answer. */
async function untilCached({ name, url }: CacheServer): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < settleMs) {
    const answer = await fetch(`${url}1/start`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`${name} does not answer`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await closed;
  clearTimeout(late);
}
