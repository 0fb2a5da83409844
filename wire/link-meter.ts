import type { Clock } from '../kernel/index.ts';

/** What lies between two peers, as one of them has measured it. */
export interface LinkMeasures {
  /** Milliseconds there and back, the least of what was seen lately. */
  readonly roundTripMs: number;
  /** Bytes per second towards the peer, the most of what was seen lately; undefined until enough was sent. */
  readonly bytesPerSecond: number | undefined;
  /** The same of what comes from the peer. */
  readonly receivedPerSecond: number | undefined;
}

/** As many measures of either kind are remembered. */
const remembered = 8;
/** Fewer bytes say more of the round trip than of the bandwidth. */
const minBytes = 32 * 1024;
/** Between two frames of a transfer at least so many bytes arrive: smaller ones are conversation. */
const leastArrived = 8 * 1024;
/** A ping that was not answered by then is not waited for any longer. */
const maxPingMs = 60_000;

function kept(list: number[], value: number): void {
  // The clock may have been set back meanwhile.
  if (value < 0) return;
  list.push(value);
  if (list.length > remembered) list.shift();
}

/** What a meter needs of the connection. */
export interface MeteredLink {
  readonly bytesWritten: number;
  readonly bytesRead: number;
  /** Bytes that the system has not taken yet. */
  readonly inFlight: number;
  ping(answered: () => void): void;
}

/**
 * Measures the way to a peer by what is sent anyway: after a burst of bytes a ping is queued behind them, and its
 * answer tells when the last of them had arrived. Costs some 20 bytes a burst, and small answers nothing.
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

  /** `roundTripMs` is what the handshake took. */
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

  /** To be called at each frame that has arrived: of two large ones the second came at the link's rate. */
  received(): void {
    const [now, read] = [this.#clock.now(), this.#link.bytesRead];
    const { at, read: before, large: follows } = this.#arrived;
    const bytes = read - before;
    const large = bytes >= leastArrived;
    this.#arrived = { at: now, read, large };
    if (large && follows && now >= at) kept(this.#receivedRates, (bytes / Math.max(now - at, 1)) * 1000);
  }

  /** To be called before each frame that is sent. */
  sending(): void {
    const now = this.#clock.now();
    // What was sent some time ago has left by now: what follows is another burst.
    const idle = this.#link.inFlight === 0 && now - this.#lastAt > this.roundTripMs / 4;
    this.#lastAt = now;
    if (this.#pingedAt !== undefined && now - this.#pingedAt > maxPingMs) this.#pingedAt = undefined;
    if (this.#pingedAt !== undefined) return;
    if (this.#burst === undefined || idle) this.#burst = { at: now, from: this.#link.bytesWritten };
  }

  /** To be called after each frame that was sent. */
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
      // A link so fast that a clock of milliseconds does not see it is as fast as need be.
      if (elapsed >= 0) kept(this.#rates, (bytes / Math.max(elapsed - this.roundTripMs, 1)) * 1000);
      this.#burst = undefined;
      this.#pingedAt = undefined;
    });
  }

  /** A ping with nothing to speak of before it, answered in its own time. */
  ping(): void {
    const at = this.#clock.now();
    this.#link.ping(() => kept(this.#roundTrips, this.#clock.now() - at));
  }
}
