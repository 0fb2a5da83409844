import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../kernel/index.ts';
import type { HttpDoorOptions } from '../doors/door-options.ts';
import { openHttpDoor } from '../doors/http-door.ts';
import type { CacheAnswer, CacheRequest } from '../requests/request-response.ts';

/** A door whose requests are kept and answered as a test likes. */
export async function testDoor(
  answer: (request: CacheRequest) => CacheAnswer | Promise<CacheAnswer>,
  more: Partial<HttpDoorOptions> = {},
) {
  const requests: CacheRequest[] = [];
  const faults: unknown[] = [];
  const door = await openHttpDoor({
    port: 0,
    clock: systemClock,
    pseudonym: 'test',
    fault: (error) => faults.push(error),
    answer: async (request) => {
      requests.push(request);
      return answer(request);
    },
    ...more,
  });
  return { door, requests, faults, [Symbol.asyncDispose]: () => door[Symbol.asyncDispose]() };
}

/** A connection on which a test says what it likes. */
export async function open(door: { readonly port: number }): Promise<Socket> {
  const socket = connect({ port: door.port, host: '127.0.0.1' });
  // A reset is one of the ends a test may expect; it is seen as the end of the bytes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything the door says until it ends the connection, in latin1, and whether it was reset. */
export async function untilEnd(socket: Socket): Promise<{ text: string; wasReset: boolean }> {
  let text = '';
  let wasReset = false;
  socket.on('error', () => {
    wasReset = true;
  });
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return { text, wasReset };
}

/** Send bytes unchanged and read everything up to the end; the bytes should end the connection or request its end. */
export async function exchange(door: { readonly port: number }, bytes: string): Promise<string> {
  const socket = await open(door);
  socket.write(Buffer.from(bytes, 'latin1'));
  return (await untilEnd(socket)).text;
}

/** Everything said until it holds `mark`. */
export async function hear(socket: Socket, mark: string): Promise<string> {
  let text = '';
  while (!text.includes(mark)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) text += chunk.toString('latin1');
    else if (socket.readableEnded || socket.destroyed) throw new Error(`the end came after: ${text}`);
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
  return text;
}

export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
export const codeOf = (answer: string) => /\((CACHE_\w+)\)/.exec(answer)?.[1];

/** A plain answer with a text. */
export function text(words: string, more: Partial<CacheAnswer> = {}): CacheAnswer {
  const content = Buffer.from(words, 'latin1');
  return {
    status: 200,
    reason: 'OK',
    fields: ['X-Words', words],
    content,
    contentLength: content.length,
    ...more,
  };
}
