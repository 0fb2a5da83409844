import { rmSync } from 'node:fs';
import { Server } from 'node:net';
import { dirname } from 'node:path';
import { openHitWorker } from '../../cache/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { EffectiveConfig } from '../config/config.ts';
import { laneOptions } from './doors.ts';
import { acceleratedOrigins } from './origins.ts';
import { configuredPeers } from './peers.ts';
import { cachePolicy } from './policy.ts';
import { readyBytes } from './sizes.ts';
import type { CacheWorkerOrder } from './workers.ts';

// A worker process of a cache: it answers plain hits. The process with the store ends it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// SIGHUP reloads the certificate of TLS, which workers do not serve.
process.on('SIGHUP', () => undefined);

process.once('message', (order) => {
  work(order as CacheWorkerOrder).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`cache worker: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
});

async function work({ place, name, entries, folder }: CacheWorkerOrder): Promise<void> {
  process.once('disconnect', () => {
    // The process with the store was killed, so the folder of its relay is removed here.
    rmSync(dirname(place.path), { recursive: true, force: true });
    process.exit(1);
  });
  const config = new EffectiveConfig(entries, folder);
  const origins = acceleratedOrigins(config);
  const worker = await openHitWorker({
    ...laneOptions(config),
    ...{ place, name, clock: systemClock, policy: cachePolicy(config), readyBytes: readyBytes(config) },
    // Without access rules and peers no client has to be checked.
    isOpen: config.records('cache.access').length === 0 && configuredPeers(config).length === 0,
    ...(origins && { accelerator: origins.hosts }),
  });
  let port: Server | undefined;
  process.once('message', (_message, handle) => {
    if (!(handle instanceof Server)) return;
    port = handle;
    worker.serve(handle);
  });
  process.send?.('here');
  await worker.ended;
  port?.close();
  await worker[Symbol.asyncDispose]();
}
