import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteRoutes } from '../../gatherer/index.ts';
import { serveHttp } from '../../http/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { packageFolder, version } from '../config/version.ts';
import { DisposalStack } from '../server/disposal-stack.ts';
import { type Member, startMember } from './member.ts';

/** One server of the demo, for people and programs. */
export interface DemoServer {
  readonly role: 'registry' | 'gatherer' | 'broker' | 'cache';
  readonly name: string;
  /** As the Registry lists it. */
  readonly url: string;
  /** Where a cache shows its state, which is another port. */
  readonly status?: string;
  readonly pid: number;
}

export interface DemoFederation extends AsyncDisposable {
  /** The page that searches everything. */
  readonly registry: string;
  readonly servers: readonly DemoServer[];
}

export interface DemoOptions {
  /** Port of the Registry; 0 takes any free one. */
  readonly port: number;
  readonly signal: AbortSignal;
  readonly ended: (name: string, code: number | null) => void;
}

/** The corpora below demo/, each a department with a site, a Gatherer and a Broker. */
const departments = [
  { folder: 'harbour', name: 'Harbour office', describe: 'Moorings, tides, lights and fees of the harbour' },
  { folder: 'observatory', name: 'Observatory', describe: 'Weather, tides and the sky' },
  { folder: 'archive', name: 'Town archive', describe: 'Papers, charts and log books since 1327' },
] as const;

/** A server that is killed is late within 8 seconds, and one that a busy machine holds up for 2 seconds is not. */
const leases = ['--renewal', '5s', '--lease', '30s'];

/**
 * Start a Registry, two caches, three Gatherers and three Brokers on loopback, each in its own process, with data in a
 * temporary folder. Resolves when all listen. Throws CLI_DEMO_SERVER, and the signal's reason.
 */
export async function startFederation(options: DemoOptions): Promise<DemoFederation> {
  const stack = new DisposalStack();
  try {
    const cwd = await mkdtemp(join(tmpdir(), 'garner-demo-'));
    stack.keep({ [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }) });
    const { registry, servers } = await startAll(stack, cwd, options);
    return { registry, servers, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

async function startAll(
  stack: DisposalStack,
  cwd: string,
  { port, signal, ended }: DemoOptions,
): Promise<Pick<DemoFederation, 'registry' | 'servers'>> {
  const servers: DemoServer[] = [];
  const ports = await freePorts(departments.length);
  const start = async <Ready>(
    role: DemoServer['role'],
    name: string,
    places: (ready: Ready) => Pick<DemoServer, 'url' | 'status'>,
    args: readonly string[],
  ): Promise<Ready> => {
    signal.throwIfAborted();
    const data = ['--data', name.toLowerCase().replaceAll(' ', '-')];
    // Held from its start: when another one fails, this one is ended too.
    const member: Member<Ready> = stack.keep(
      startMember<Ready>({ name, args: [role, 'serve', ...data, ...args], cwd, ended }),
    );
    const ready = await Promise.race([member.ready, aborted(signal)]);
    servers.push({ role, name, ...places(ready), pid: member.pid });
    return ready;
  };
  const { registry } = await start<{ readonly registry: string }>(
    'registry',
    'Registry of the town',
    ({ registry }) => ({ url: registry }),
    [
      ...['--port', String(port), '--name', 'The town'],
      // The demo is on loopback, which a Registry never queries for strangers.
      ...ports.flatMap((own) => ['--allow-hosts', `127.0.0.1:${own}`]),
    ],
  );
  const listed = (name: string) => ['--name', name, '--registry', registry, ...leases];
  const site = stack.keep(
    await serveHttp({
      ...{ routes: siteRoutes(join(packageFolder(), 'demo'), false), host: '127.0.0.1', port: 0 },
      ...{ clock: systemClock, title: 'Sites of the demo', version: version(), bare: true },
    }),
  );
  type Cache = { readonly cache: string; readonly admin: string };
  const cache = (name: string, args: readonly string[]) =>
    start<Cache>('cache', name, (ready) => ({ url: ready.cache, status: `${ready.admin}status` }), [
      ...['--port', '0', ...args, ...listed(name)],
    ]);
  const host = new URL(site.url).host;
  const region = await cache('region-cache', ['--proxy', '--allow-hosts', host]);
  const parent = `${new URL(region.cache).host}`;
  const quay = await cache('quay-cache', ['--origin', site.url, '--parent', parent]);
  const sources = new Map<string, string>();
  await Promise.all(
    departments.map(async ({ folder, name }) => {
      const root = ['--root', join(packageFolder(), 'demo', folder), '--base-url', `${quay.cache}${folder}/`];
      const { collect } = await start<{ readonly collect: string }>(
        'gatherer',
        `${name} documents`,
        (ready) => ({ url: ready.collect.replace(/^ws/, 'http') }),
        ['--port', '0', ...root, ...listed(`${name} documents`)],
      );
      sources.set(folder, collect);
    }),
  );
  for (const [at, { folder, name, describe }] of departments.entries()) {
    const source = sources.get(folder) as string;
    await start<{ readonly search: string }>('broker', name, ({ search }) => ({ url: search }), [
      ...['--port', String(ports[at]), '--collect', source, ...listed(name), '--description', describe],
    ]);
  }
  return { registry, servers };
}

/** Rejects when the signal aborts. */
async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** Ports that are free now. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
