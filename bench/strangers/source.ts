import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerVerbs, sourceVerbs } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { WireServer } from '../../wire/index.ts';

const batchObjects = 1000;

/** The line that the source prints when it listens. */
export interface StrangersSourceSays {
  readonly port: number;
}

const ttlSeconds = 30 * 24 * 3600;

function put({ serverId, sign }: Identity, n: number, updatedAt: number): StoreOperation {
  const url = `http://many.example.org/${n}`;
  const summary = summaryObject(url, [
    ['Title', `Object number ${n}`],
    ['Time-to-Live', ttlSeconds],
    ['Update-Time', updatedAt],
  ]);
  const [oid, digest] = [oidOf(serverId, url), digestOf(summary)];
  const signature = sign(provenanceBytes(oid, digest, updatedAt));
  const object = { oid, digest, body: encodeObject(summary), updatedAt, publisher: serverId, signature };
  return { kind: 'put', object, url, ttlSeconds };
}

/** Serve a store of many small objects, each signed, over the wire, until the process ends. */
export async function probeStrangersSource([
  path = '',
  objects = '',
]: readonly string[]): Promise<StrangersSourceSays> {
  const identity = identityFrom(newIdentitySecret());
  const clock = systemClock;
  const store = await ObjectStore.open(await openDatabase(path), { clock, random: systemRandom });
  const updatedAt = Math.floor(clock.now() / 1000);
  for (let n = 0; n < Number(objects); ) {
    const batch: StoreOperation[] = [];
    for (; batch.length < batchObjects && n < Number(objects); n++) {
      batch.push(put(identity, n, updatedAt));
    }
    await store.apply(batch);
  }
  const wire = new WireServer({
    ...{ identity, name: 'many', role: 'gatherer', clock, random: systemRandom },
    onChannel: answerVerbs(
      sourceVerbs({ source: store, serverId: identity.serverId, sign: identity.sign, clock }),
    ),
  });
  const http = createServer().listen(0, '127.0.0.1');
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await once(http, 'listening');
  process.once('SIGTERM', () => {
    http.closeAllConnections();
    http.close();
    void wire[Symbol.asyncDispose]().then(() => store[Symbol.asyncDispose]());
  });
  return { port: (http.address() as AddressInfo).port };
}
