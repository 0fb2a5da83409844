import type { Clock } from '../kernel/index.ts';

/** The link between two peers, as one of them has measured it. */
export interface LinkMeasures {
  /** Milliseconds there and back, the min of the latest measures. */
  readonly roundTripMs: number;
  /** Bytes per second towards the peer, the max of the latest measures; undefined until enough was sent. */
  readonly bytesPerSecond: number | undefined;
  /** The same for data from the peer. */
  readonly receivedPerSecond: number | undefined;
}

/** Number of measures of either kind that are remembered. */
const remembered = 8;
/** A smaller burst measures the round trip more than the bandwidth. */
const minBytes = 32 * 1024;
/** Min bytes between two frames of a transfer; smaller frames are conversation. */
const minArrived = 8 * 1024;
/** A ping that is not answered within this time is ignored. */
const maxPingMs = 60_000;

function remember(list: number[], value: number): void {
  // The clock may have been set back meanwhile.
  if (value < 0) return;
  list.push(value);
  if (list.length > remembered) list.shift();
}

export interface MeteredLink {
  readonly bytesWritten: number;
  readonly bytesRead: number;
  /** Bytes that the system has not taken yet. */
  readonly inFlight: number;
  ping(answered: () => void): void;
}

/**
 * Measures the link to a peer with the data that is sent anyway: a ping is queued behind a burst of bytes, and its
 * answer shows when the last of them had arrived. Costs some 20 bytes a burst, and small answers nothing.
 */
export class LinkMeter implements LinkMeasures {
  readonly #link: MeteredLink;
  readonly #clock: Clock;
  readonly #roundTrips: number[];
  readonly #rates: number[] = [];
  readonly #receivedRates: number[] = [];
  #arrived: { readonly at: number; readonly read: number; readonly large: boolean };
  #burst: { readonly at: number; readonly from: number } | undefined;
  #lastAt = 0;
  #pingedAt: number | undefined;

  /** `roundTripMs` is the measure of the handshake. */
  constructor(link: MeteredLink, clock: Clock, roundTripMs: number) {
    this.#link = link;
    this.#clock = clock;
    this.#roundTrips = [Math.max(0, roundTripMs)];
    this.#arrived = { at: clock.now(), read: link.bytesRead, large: false };
  }

  get roundTripMs(): number {
    return Math.min(...this.#roundTrips);
  }

  get bytesPerSecond(): number | undefined {
    return this.#rates.length === 0 ? undefined : Math.max(...this.#rates);
  }

  get receivedPerSecond(): number | undefined {
    return this.#receivedRates.length === 0 ? undefined : Math.max(...this.#receivedRates);
  }

  /** Call at each frame that has arrived: the second of two large ones came at the link's rate. */
  received(): void {
    const [now, read] = [this.#clock.now(), this.#link.bytesRead];
    const { at, read: before, large: follows } = this.#arrived;
    const bytes = read - before;
    const large = bytes >= minArrived;
    this.#arrived = { at: now, read, large };
    if (large && follows && now >= at) remember(this.#receivedRates, (bytes / Math.max(now - at, 1)) * 1000);
  }

  /** Call before each frame that is sent. */
  sending(): void {
    const now = this.#clock.now();
    // Data sent some time ago has left by now: the next frame starts another burst.
    const idle = this.#link.inFlight === 0 && now - this.#lastAt > this.roundTripMs / 4;
    this.#lastAt = now;
    if (this.#pingedAt !== undefined && now - this.#pingedAt > maxPingMs) this.#pingedAt = undefined;
    if (this.#pingedAt !== undefined) return;
    if (this.#burst === undefined || idle) this.#burst = { at: now, from: this.#link.bytesWritten };
  }

  /** Call after each frame that was sent. */
  sent(): void {
    const burst = this.#burst;
    if (burst === undefined || this.#pingedAt !== undefined) return;
    const bytes = this.#link.bytesWritten - burst.from;
    if (bytes < minBytes) return;
    const pingedAt = this.#clock.now();
    this.#pingedAt = pingedAt;
    this.#link.ping(() => {
      if (this.#pingedAt !== pingedAt) return;
      const elapsed = this.#clock.now() - burst.at;
      // A transfer below one millisecond counts as one millisecond.
      if (elapsed >= 0) remember(this.#rates, (bytes / Math.max(elapsed - this.roundTripMs, 1)) * 1000);
      this.#burst = undefined;
      this.#pingedAt = undefined;
    });
  }

  /** Send a ping when nothing was sent just before: its answer measures the round trip alone. */
  ping(): void {
    const at = this.#clock.now();
    this.#link.ping(() => remember(this.#roundTrips, this.#clock.now() - at));
  }
}
