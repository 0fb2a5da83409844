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
const leastBytes = 32 * 1024;
/** When nothing was sent for so long the line was idle: what follows is measured anew. */
const idleMs = 500;

function kept(list: number[], value: number): void {
  list.push(value);
  if (list.length > remembered) list.shift();
}

/** What a meter needs of the connection. */
export interface MeteredLink {
  readonly bytesWritten: number;
  readonly bytesRead: number;
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
  #arriving: { readonly at: number; readonly from: number } | undefined;
  #arrivedAt = 0;
  #burst: { readonly at: number; readonly from: number } | undefined;
  #lastAt = 0;
  #pinging = false;

  /** `roundTripMs` is what the handshake took. */
  constructor(link: MeteredLink, clock: Clock, roundTripMs: number) {
    this.#link = link;
    this.#clock = clock;
    this.#roundTrips = [roundTripMs];
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

  /** To be called at each frame that has arrived: what follows the first one without a pause came at the link's rate. */
  received(): void {
    const now = this.#clock.now();
    const { bytesRead } = this.#link;
    const idle = now - this.#arrivedAt > idleMs;
    this.#arrivedAt = now;
    if (this.#arriving === undefined || idle) {
      this.#arriving = { at: now, from: bytesRead };
      return;
    }
    const bytes = bytesRead - this.#arriving.from;
    if (bytes < leastBytes) return;
    kept(this.#receivedRates, (bytes / Math.max(now - this.#arriving.at, 1)) * 1000);
    this.#arriving = undefined;
  }

  /** To be called before each frame that is sent. */
  sending(): void {
    const now = this.#clock.now();
    const idle = now - this.#lastAt > idleMs;
    this.#lastAt = now;
    if (this.#pinging) return;
    if (this.#burst === undefined || idle) this.#burst = { at: now, from: this.#link.bytesWritten };
  }

  /** To be called after each frame that was sent. */
  sent(): void {
    const burst = this.#burst;
    if (burst === undefined || this.#pinging || this.#link.bytesWritten - burst.from < leastBytes) return;
    this.#pinging = true;
    const bytes = this.#link.bytesWritten - burst.from;
    this.#link.ping(() => {
      const ms = this.#clock.now() - burst.at - this.roundTripMs;
      // A link so fast that a clock of milliseconds does not see it is as fast as need be.
      kept(this.#rates, (bytes / Math.max(ms, 1)) * 1000);
      this.#burst = undefined;
      this.#pinging = false;
    });
  }

  /** A ping with nothing to speak of before it, answered in its own time. */
  ping(): void {
    const at = this.#clock.now();
    this.#link.ping(() => kept(this.#roundTrips, this.#clock.now() - at));
  }
}
