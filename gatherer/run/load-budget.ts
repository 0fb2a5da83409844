import { TokenBucket } from '../../fetch/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { loadWaits } from '../events.ts';

/** Limits of the load that a Gatherer puts on its machine and on the servers it reads. */
export interface LoadLimits {
  /** Per cent of the CPU time of all cores; 100 is no limit. */
  readonly cpuShare: number;
  /** Number of cores. */
  readonly cores: number;
  /** Bytes of documents per second; 0 is no limit. */
  readonly readRate: number;
  /** Requests per second to all servers together; 0 is no limit. */
  readonly requestRate: number;
  readonly clock: Clock;
  /** Returns the CPU time of the process with all threads, in milliseconds; for tests. */
  readonly cpuMs?: () => number;
}

/** Unchanged documents between two reads of the clock: a sweep over them costs only a count. */
const itemsPerLook = 64;

/** Min time between two reads of the CPU time. */
const lookMs = 10;

/** Burst after a rest, as time at the allowed rate. */
const cpuBurstMs = 100;
const readBurstMs = 1000;

/** Max wait; a larger debt is forgiven, so that every run continues. */
const maxDebtMs = 5 * 60 * 1000;

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The load that a provider grants its Gatherer, as token buckets for CPU, bytes and requests. The cost of a document is
 * known only afterwards, so a wait before the next one pays for it. CPU time is that of the whole process, including
 * answers to clients, without the programs that it starts.
 */
export class LoadBudget {
  /** For the clients of servers; undefined without a limit. */
  readonly requests: TokenBucket | undefined;
  readonly #clock: Clock;
  readonly #cpuMs: () => number;
  readonly #cpu: TokenBucket | undefined;
  readonly #read: TokenBucket | undefined;
  #cpuBefore = 0;
  #items = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor({ cpuShare, cores, readRate, requestRate, clock, cpuMs = processCpuMs }: LoadLimits) {
    this.#clock = clock;
    this.#cpuMs = cpuMs;
    const reporting = (setting: string) => ({
      onWait: (ms: number) => loadWaits.publish({ setting, ms }),
    });
    const bucket = (setting: string, perSecond: number, burstMs: number) =>
      new TokenBucket({
        clock,
        perSecond,
        burst: (perSecond * burstMs) / 1000,
        maxDebtMs,
        ...reporting(setting),
      });
    // A token is a millisecond of one core.
    if (cpuShare < 100) {
      const perSecond = (Math.max(cpuShare, 0.1) / 100) * cores * 1000;
      this.#cpu = bucket('gatherer.cpu-share', perSecond, cpuBurstMs);
    }
    if (readRate > 0) this.#read = bucket('gatherer.read-rate', readRate, readBurstMs);
    // A waiting request holds a connection, so the number of connections limits the debt.
    if (requestRate > 0)
      this.requests = new TokenBucket({
        ...{ clock, perSecond: requestRate, burst: 1 },
        ...reporting('gatherer.request-rate'),
      });
  }

  /** Milliseconds waited since the budget was made, by the setting that demanded it; only for set limits. */
  get waitedMs(): Readonly<Record<string, number>> {
    const buckets = {
      'gatherer.cpu-share': this.#cpu,
      'gatherer.read-rate': this.#read,
      'gatherer.request-rate': this.requests,
    };
    return Object.fromEntries(
      Object.entries(buckets).flatMap(([key, bucket]) =>
        bucket === undefined ? [] : [[key, bucket.waitedMs]],
      ),
    );
  }

  /** Begin a run: CPU time used until now does not count. */
  begin(): void {
    this.#cpuBefore = this.#cpuMs();
  }

  /** Note a document of this many bytes (0: not read) and await the promise, if any, before the next. */
  spend(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    if (this.#cpu === undefined && this.#read === undefined) return undefined;
    if (bytes > 0) this.#read?.take(bytes);
    else if (++this.#items % itemsPerLook !== 0) return undefined;
    const now = this.#clock.now();
    // Also when the clock was set back.
    if (Math.abs(now - this.#lookedAt) < lookMs && (this.#read?.debtMs ?? 0) === 0) return undefined;
    this.#lookedAt = now;
    if (this.#cpu !== undefined) {
      const used = this.#cpuMs();
      this.#cpu.take(Math.max(0, used - this.#cpuBefore));
      this.#cpuBefore = used;
    }
    // One wait pays both debts.
    const waits = [this.#cpu, this.#read].flatMap((bucket) => {
      const debtMs = bucket?.debtMs ?? 0;
      return bucket === undefined || debtMs === 0 ? [] : [bucket.waitUntil(now + debtMs, signal)];
    });
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }
}
