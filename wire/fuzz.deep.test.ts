import assert from 'node:assert/strict';
import { seededRandom, systemRandom } from '../kernel/index.ts';
import { Deflater } from './deflater.ts';
import { echo, type Make, openBed, prose, RawPeer, testBoth, turns } from './fixture.test.ts';
import { type Frame, frameBytes } from './frame.ts';
import { packRecord } from './message.ts';

/** Bytes between a valid frame and noise. */
function strangeFrame(random: ReturnType<typeof seededRandom>): Uint8Array {
  const pick = (count: number) => Math.floor(random.next() * count);
  if (pick(4) === 0) return random.bytes(pick(300));
  const payload = pick(2) === 0 ? packRecord({ type: 'ask', n: pick(1000) }) : random.bytes(1 + pick(500));
  const frame: Frame = {
    kind: (['data', 'data', 'data', 'credit', 'abort', 'bye'] as const)[pick(6)] ?? 'data',
    channel: pick(8) === 0 ? 0 : 1 + pick(6),
    open: pick(2) === 0,
    more: pick(4) === 0,
    end: pick(4) === 0,
    payload,
  };
  const bytes = frameBytes(frame, pick(3) === 0 ? random.bytes(pick(400)) : undefined);
  for (let edits = pick(3) === 0 ? 1 + pick(3) : 0; edits > 0; edits -= 1)
    bytes[pick(bytes.length)] = pick(256);
  return bytes;
}

/** Sends mostly valid frames, so that the strange ones meet every state of the server. */
class StrangePeer {
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #deflater = new Deflater(4);
  #channels: number[] = [];
  #last = -1;

  constructor(random: ReturnType<typeof seededRandom>) {
    this.#random = random;
  }

  close(): void {
    this.#deflater.close();
  }

  async next(strangeness: number): Promise<Uint8Array> {
    const random = this.#random;
    const pick = (count: number) => Math.floor(random.next() * count);
    if (random.next() < strangeness) return strangeFrame(random);
    const open = this.#channels.length < 3 && pick(2) === 0;
    const at = pick(this.#channels.length);
    if (open || this.#channels.length === 0) {
      this.#last += 2;
      const payload = packRecord({ type: 'ask', text: prose(40 + pick(2000), this.#last) });
      if (pick(4) > 0) this.#channels.push(this.#last);
      else return frameBytes({ kind: 'data', channel: this.#last, open: true, end: true, payload });
      const frame: Frame = { kind: 'data', channel: this.#last, open: true, payload };
      return frameBytes(frame, await this.#deflater.deflate(payload));
    }
    const channel = this.#channels[at] as number;
    if (pick(4) > 0)
      return frameBytes({ kind: 'data', channel, payload: packRecord({ type: 'more', n: pick(1000) }) });
    this.#channels.splice(at, 1);
    if (pick(2) === 0) return frameBytes({ kind: 'data', channel, end: true, payload: new Uint8Array(0) });
    return frameBytes({ kind: 'abort', channel, payload: packRecord({ code: 'NO', message: 'never mind' }) });
  }
}

testBoth('thousands of strange frames never harm the server', async (inflater: Make) => {
  const seed = Math.floor(systemRandom.next() * 2 ** 31);
  const random = seededRandom(seed);
  const before = process.memoryUsage().rss;
  const reasons = new Map<string, number>();
  let accepted = 0;
  const seen: Promise<void>[] = [];
  await using bed = await openBed({
    onChannel: echo,
    inflater,
    onSession: (session) =>
      seen.push(
        session.closed.then((reason) => {
          const code = reason?.code ?? 'in order';
          reasons.set(code, (reasons.get(code) ?? 0) + 1);
          accepted += session.traffic.receivedFrames;
        }),
      ),
  });
  const honest = await bed.dial({ inflater });
  for (let session = 0; session < 240; session += 1) {
    await using raw = new RawPeer(bed.url);
    await raw.greet();
    const peer = new StrangePeer(random);
    const strangeness = [0.4, 0.05, 0.005][session % 3] as number;
    for (let sent = 0; sent < 60; sent += 1) raw.send(await peer.next(strangeness));
    peer.close();
    raw.webSocket.close();
    await raw.closed;
  }
  while (bed.wire.sessions.size > 1) await turns(1);
  const channel = await honest.open({ type: 'ask' }, { end: true });
  assert.equal((await channel.receive())?.type, 'ask', `seed ${seed}`);
  await honest.close();
  await Promise.all(seen);
  assert.ok(accepted > 2_500, `only ${accepted} frames were sound, seed ${seed}`);
  assert.ok(reasons.size >= 5, `${JSON.stringify([...reasons])}, seed ${seed}`);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 200 * 1024 * 1024, `memory grew by ${grown}, seed ${seed}`);
});
