import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import type { CacheAnswer, CacheRequest } from '../requests/request-response.ts';
import { Fields, type RawFields } from '../rules/fields/fields.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { type CacheOptions, type OpenedCache, openCache } from '../serving/open-cache.ts';
import { openUpstream } from '../upstream/upstream.ts';

/** A cache over memory before a real server on loopback, with a manual clock. */
export interface Bench extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly opened: OpenedCache;
  /** The requests that reached the origin, in order. */
  readonly asked: IncomingMessage[];
  ask(path: string, options?: AskOptions): Promise<CacheAnswer>;
  url(path: string): string;
  /** Stop answering: connections are refused from now on. */
  stopOrigin(): Promise<void>;
}

interface AskOptions {
  readonly method?: string;
  readonly fields?: RawFields;
  readonly signal?: AbortSignal;
  readonly fromCache?: boolean;
}

/** Open one; `origin` answers what reaches it. */
export async function openBench(
  origin: (request: IncomingMessage, response: ServerResponse) => void,
  more: Partial<CacheOptions> = {},
): Promise<Bench> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    origin(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = openUpstream({ allowHosts: [at] });
  // Dates of the origin are the machine's, so the cache's clock begins there too.
  const clock = new ManualClock(Date.now());
  const opened = await openCache({
    name: 'bench',
    memoryBytes: 64e6,
    diskBytes: 64e6,
    largestEntryBytes: 16e6,
    policy: defaultPolicy,
    collapseWaitMs: 5000,
    upstream,
    clock,
    random: seededRandom(1),
    ...more,
  });
  const stopOrigin = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return {
    clock,
    opened,
    asked,
    url: (path) => at + path,
    stopOrigin,
    ask: (path, options = {}) => {
      const request: CacheRequest = {
        method: options.method ?? 'GET',
        url: at + path,
        fields: options.fields ?? [],
        version: '1.1',
        clientAddress: '127.0.0.1',
        fromCache: options.fromCache ?? false,
        signal: options.signal ?? new AbortController().signal,
      };
      return opened.cache.answer(request);
    },
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
      await stopOrigin();
    },
  };
}

/** The whole content of an answer as text. */
export async function textOf({ content }: CacheAnswer): Promise<string> {
  if (content === undefined) return '';
  if (content instanceof Uint8Array) return Buffer.from(content).toString('latin1');
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

/** One field of an answer. */
export const fieldOf = (answer: CacheAnswer, name: string) => new Fields(answer.fields).get(name);
