import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerVerbs, sourceVerbs } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { WireServer } from '../../wire/index.ts';
import { ChangingStore, type Kind } from './objects.ts';

/** The line that the source prints when it listens. */
export interface AwarenessSourceSays {
  readonly pid: number;
  readonly port: number;
  /** Time of opening its store. */
  readonly openSeconds: number;
}

/** An order to the source, which answers when it is done. */
export type SourceOrder =
  | { readonly kind: 'load'; readonly count: number }
  | { readonly kind: 'change'; readonly how: Kind; readonly u: number }
  | { readonly kind: 'change-back' };

async function orderIn(request: IncomingMessage): Promise<SourceOrder> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as SourceOrder;
}

/** Serve a store over the wire and carry out orders over HTTP, until the process ends. */
export async function probeAwarenessSource([path = '']: readonly string[]): Promise<AwarenessSourceSays> {
  const started = performance.now();
  const identity = identityFrom(newIdentitySecret());
  const store = await ObjectStore.open(await openDatabase(path), {
    clock: systemClock,
    random: systemRandom,
  });
  const openSeconds = (performance.now() - started) / 1000;
  const changing = new ChangingStore(store, identity.serverId, systemRandom);
  const wire = new WireServer({
    ...{ identity, name: 'source', role: 'gatherer', clock: systemClock, random: systemRandom },
    onChannel: answerVerbs(
      sourceVerbs({ source: store, serverId: identity.serverId, sign: identity.sign, clock: systemClock }),
    ),
  });
  const http = createServer((request, response) => {
    void orderIn(request)
      .then(async (order) => {
        if (order.kind === 'load') await changing.load(order.count);
        else if (order.kind === 'change') await changing.change(order.how, order.u);
        else await changing.changeBack();
        response.end('{}');
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await once(http, 'listening');
  process.once('SIGTERM', () => {
    http.closeAllConnections();
    http.close();
    void wire[Symbol.asyncDispose]().then(() => store[Symbol.asyncDispose]());
  });
  return { pid: process.pid, port: (http.address() as AddressInfo).port, openSeconds };
}
