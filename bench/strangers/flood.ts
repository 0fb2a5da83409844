import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The address of the client that floods; the one that is measured has 127.0.0.1. */
const localAddress = '127.0.0.2';

const sessions = 300;
const slowBodies = 300;
export const tokensPerSecond = 1000;
const tickMs = 20;
/** Wrong tokens without an answer yet: then the flood waits, as any client must. */
const maxUnanswered = 2000;

/** What a client that uses more than its share has done. */
export interface Flooded {
  readonly tokens: number;
  readonly seconds: number;
  /** Answers to wrong tokens by status; 0 for a connection that was closed. */
  readonly answers: Readonly<Record<number, number>>;
}

function opened(url: URL, text: string): Socket {
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
  socket.on('error', () => undefined);
  socket.write(text);
  return socket.resume();
}

/** Hold 300 sessions and 300 slow bodies, and send 1,000 wrong tokens a second, for some seconds. */
export async function probeStrangersFlood([address = '', time = '']: readonly string[]): Promise<Flooded> {
  const url = new URL(address);
  const host = `Host: ${url.host}\r\n`;
  const key = Buffer.alloc(16, 1).toString('base64');
  const upgrade = `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: garner.1\r\n\r\n`;
  const body = `POST /search HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n[`;
  const hold = (text: string) => {
    const socket = opened(url, text);
    // What was refused is tried again, as a stubborn client does.
    socket.once('close', () => {
      held.delete(socket);
      if (!isOver) setTimeout(() => held.add(hold(text)), 1000).unref();
    });
    return socket;
  };
  let isOver = false;
  const held = new Set<Socket>();
  for (let n = 0; n < sessions; n++) held.add(hold(upgrade));
  for (let n = 0; n < slowBodies; n++) held.add(hold(body));
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const answers: Record<number, number> = {};
  let [tokens, unanswered] = [0, 0];
  const answered = (status: number) => {
    answers[status] = (answers[status] ?? 0) + 1;
    unanswered--;
  };
  const guess = async () => {
    unanswered++;
    const asked = request(new URL('control/audit', url), {
      ...{ agent, localAddress },
      headers: { authorization: `Bearer wrong-${tokens++}` },
    });
    asked.end();
    try {
      const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
      response.resume();
      answered(response.statusCode ?? 0);
    } catch {
      answered(0);
    }
  };
  const began = performance.now();
  const seconds = Number(time);
  for (let tick = 1; performance.now() - began < seconds * 1000; tick++) {
    for (let n = 0; n < (tokensPerSecond * tickMs) / 1000 && unanswered < maxUnanswered; n++) void guess();
    await sleep(began + tick * tickMs - performance.now());
  }
  isOver = true;
  agent.destroy();
  for (const socket of held) socket.destroy();
  return { tokens, seconds, answers };
}
