import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { CacheNode, CountingOrigin, through } from './cache-node.ts';
import { Squid, squidHost } from './squid.ts';

/** An origin, closed when the test ends. */
export async function origin(t: TestContext): Promise<CountingOrigin> {
  const opened = await CountingOrigin.open();
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A node of ours, closed when the test ends. */
export async function node(t: TestContext, ...args: Parameters<typeof CacheNode.open>): Promise<CacheNode> {
  const opened = await CacheNode.open(...args);
  t.after(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A squid, killed when the test ends. */
export async function squid(t: TestContext, ...args: Parameters<typeof Squid.start>): Promise<SquidClient> {
  const started = await Squid.start(...args);
  t.after(() => started[Symbol.asyncDispose]());
  return new SquidClient(started);
}

/** A squid and what its clients do. */
export class SquidClient {
  readonly squid: Squid;

  constructor(started: Squid) {
    this.squid = started;
  }

  get(url: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof through> {
    return through({ host: squidHost, port: this.squid.ports.http }, url, headers);
  }

  /** Have it forget a URL. */
  purge(url: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const { http: port } = this.squid.ports;
      const asked = request(
        { host: squidHost, port, path: url, method: 'PURGE', agent: false },
        (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        },
      );
      asked.once('error', reject).end();
    });
  }

  /** Its log, without the part of URLs that differs each time. */
  async transcript(place: string, count: number): Promise<readonly string[]> {
    return (await this.squid.transcript(count)).map((line) => line.replace(place, ''));
  }
}

/** Lines with which it takes PURGE. */
export const allowPurge = ['acl purge method PURGE', 'http_access allow purge'];

/** Wait for what another process does, for ten seconds at most. */
export async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('it does not happen');
}
