import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { encodeObject, identityFrom, newIdentitySecret, parseSoif } from '../../soif/index.ts';
import { type Message, WireServer } from '../../wire/index.ts';

/** Where the sender listens. */
export interface WireSenderSays {
  readonly url: string;
}

/** Max bytes of the objects in a message, as in an exchange; a larger object is sent alone. */
const messageBytes = 64 * 1024;

async function messagesOf(file: string): Promise<Message[]> {
  const messages: Message[] = [];
  let items: Uint8Array[] = [];
  let bytes = 0;
  for await (const { object } of parseSoif([await readFile(file)])) {
    const body = encodeObject(object);
    if (items.length > 0 && bytes + body.length > messageBytes) {
      messages.push({ type: 'objects', items });
      [items, bytes] = [[], 0];
    }
    items.push(body);
    bytes += body.length;
  }
  return [...messages, { type: 'objects', items }];
}

/** Send every object of a SOIF stream on each new channel, until the process ends. */
export async function probeWireSender([file = '']: readonly string[]): Promise<WireSenderSays> {
  const messages = await messagesOf(file);
  const wire = new WireServer({
    ...{ identity: identityFrom(newIdentitySecret()), name: 'sender', role: 'gatherer' },
    ...{ clock: systemClock, random: systemRandom },
    onChannel: async (channel) => {
      for (const message of messages) await channel.send(message);
    },
  });
  const http = createServer().listen(0, '127.0.0.1');
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await once(http, 'listening');
  process.once('SIGTERM', () => {
    void wire[Symbol.asyncDispose]().then(() => http.close());
  });
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/` };
}
