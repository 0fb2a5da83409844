import type { RouteResult } from '../requests/index.ts';
import type { CacheDigest } from './digest.ts';
import type { IcpReplyName } from './icp.ts';
import { invites } from './resolution.ts';

/** A peer as the operator configured it. */
export interface PeerConfig {
  readonly role: 'parent' | 'sibling';
  readonly host: string;
  /** Its HTTP port as a proxy. */
  readonly port: number;
  /** Its ICP port; absent or 0: it is not queried. */
  readonly icpPort?: number;
  /** Its HTCP port, which is then used in place of ICP. */
  readonly htcpPort?: number;
  /** The name of the key that signs all HTCP with it. */
  readonly htcpKey?: string;
  /** Its name in status, hashing and CARP; `host:port` when absent. */
  readonly name?: string;
  /** For a parent: hosts that go through it without a query, as `example.org` or `.edu`; `!` excludes one. */
  readonly domains?: readonly string[];
  /** Its share among parents that are chosen by hash; 1 when absent. */
  readonly weight?: number;
  /** For a parent: not queried, but chosen by a hash of the URL among those of the same kind. */
  readonly hash?: 'rendezvous' | 'carp';
  /** Fetch its digest, and as long as there is one, search it in place of queries. */
  readonly digest?: boolean;
  /** It may remove objects of ours (HTCP CLR). */
  readonly mayClear?: boolean;
}

/** The state of a peer, for status and metrics. */
export interface PeerStatus {
  readonly name: string;
  readonly role: 'parent' | 'sibling';
  readonly host: string;
  readonly port: number;
  /** `silent`: not awaited until it answers; `dead`: queried now and then; `down`: unreachable over HTTP. */
  readonly state: 'up' | 'silent' | 'dead' | 'denying' | 'down' | 'unknown name';
  readonly asked: number;
  readonly answered: number;
  readonly hits: number;
  readonly misses: number;
  readonly denied: number;
  /** Milliseconds of its answers, smoothed. */
  readonly rttMs?: number;
  /** Requests to it: answered, failed, not there (a sibling's 504), and those only others could fetch. */
  readonly fetched: number;
  readonly failed: number;
  readonly notThere: number;
  readonly lame: number;
  /** Entries of its digest, when we have one. */
  readonly digestEntries?: number;
}

/** The states that are reported. */
export type ReportedState = PeerStatus['state'] | 'lame';

/** RFC 2187 5.3: after this many queries in a row without an answer it is dead. */
const deadAfter = 20;
/** After this many answers its speed is known, and that it fetches for us. */
const sureAfter = 16;
/** It is lame for this time after it could not fetch something. */
const lameMs = 10_000;
/** A lost datagram makes a peer silent; only this many in a row are reported. */
const reportedAfter = 3;
/** The min interval between two reports of a peer that is lame or silent now and then. */
const reportedAgainMs = 60_000;
/** A dead peer is queried at this interval, so that an answer revives it. */
const revivalMs = 10_000;
/** When more than 95 of 100 answers are DENIED it does not know us, and is queried no more. */
const minDenied = 100;
const deniedShare = 0.95;

/**
 * The state of a peer. Pure. A peer that let one round end without an answer is not waited for again until it
 * answers, so that a dead one costs the time-out once; after twenty it is dead and queried every ten seconds.
 */
export class Peer {
  readonly config: PeerConfig;
  readonly role: 'parent' | 'sibling';
  readonly name: string;
  readonly weight: number;
  /** From the name service; the senders of datagrams are identified by these. */
  addresses: readonly string[] = [];
  /** Our address as the peer sees it; looked up where HTCP is signed. */
  ownAddress = '';
  digest: CacheDigest | undefined;
  readonly #changed: (state: ReportedState) => void;
  #reported: ReportedState = 'up';
  #down = false;
  #isNameless = false;
  #unanswered = 0;
  #overdue = false;
  #lastAskedMs = Number.NEGATIVE_INFINITY;
  #queries = 0;
  #answered = 0;
  #hits = 0;
  #misses = 0;
  #denied = 0;
  #rttMs: number | undefined;
  #rttSpreadMs = 0;
  #heardMs = Number.NEGATIVE_INFINITY;
  #invites = false;
  #fetched = 0;
  #failed = 0;
  #notThere = 0;
  #lame = 0;
  #lameUntilMs = Number.NEGATIVE_INFINITY;
  #reportedLame = false;
  #reportedSilent = false;
  #silentReportedMs = Number.NEGATIVE_INFINITY;

  /** `changed` is called with each change of the reported state. */
  constructor(config: PeerConfig, changed: (state: ReportedState) => void = () => {}) {
    this.config = config;
    this.#changed = changed;
    this.role = config.role;
    this.name = config.name ?? `${config.host}:${config.port}`;
    this.weight = config.weight ?? 1;
  }

  /** Unreachable over HTTP; it is being probed. */
  get down(): boolean {
    return this.#down;
  }

  reached(): void {
    this.#down = false;
    this.#report();
  }

  /** The result of a look-up of its name. An empty one keeps the earlier addresses. */
  resolved(addresses: readonly string[]): void {
    if (addresses.length > 0) this.addresses = addresses;
    this.#isNameless = this.addresses.length === 0;
    this.#report();
  }

  get dead(): boolean {
    return this.#unanswered >= deadAfter;
  }

  /** It answers, but nearly always DENIED. */
  get denying(): boolean {
    return this.#answered >= minDenied && this.#denied > this.#answered * deniedShare;
  }

  /** Whether it speaks ICP or HTCP. */
  get speaks(): boolean {
    return (this.config.htcpPort ?? 0) > 0 || (this.config.icpPort ?? 0) > 0;
  }

  /** Whether it may be queried now. */
  askable(nowMs: number): boolean {
    if (!this.speaks || this.denying || this.addresses.length === 0) return false;
    return !this.dead || nowMs - this.#lastAskedMs >= revivalMs;
  }

  /** Whether its answer is worth waiting for. */
  get expected(): boolean {
    return this.#unanswered === 0 && !this.#overdue;
  }

  get rttMs(): number | undefined {
    return this.#rttMs;
  }

  /** The max time for an answer, by earlier ones: twice the usual time, or by their variance (RFC 6298 2). */
  get patienceMs(): number | undefined {
    return this.#rttMs === undefined ? undefined : this.#rttMs + Math.max(this.#rttMs, 4 * this.#rttSpreadMs);
  }

  /** It is well known, and its last answer permitted requests for objects, whether it has them or not. */
  get isSure(): boolean {
    return this.#answered >= sureAfter && this.#invites && this.expected;
  }

  /** The time of its last answer. */
  get heardMs(): number {
    return this.#heardMs;
  }

  queried(nowMs: number): void {
    this.#queries++;
    this.#lastAskedMs = nowMs;
  }

  /** It answered, in time or late. */
  heard(reply: IcpReplyName, rttMs: number, nowMs: number): void {
    this.#heardMs = nowMs;
    this.#invites = invites(reply);
    this.#unanswered = 0;
    this.#reportedSilent = false;
    this.#overdue = false;
    this.#answered++;
    if (reply === 'hit' || reply === 'hit-object') this.#hits++;
    else if (reply === 'denied') this.#denied++;
    else if (reply === 'miss' || reply === 'miss-no-fetch') this.#misses++;
    const before = this.#rttMs;
    this.#rttSpreadMs +=
      before === undefined ? rttMs / 2 : (Math.abs(before - rttMs) - this.#rttSpreadMs) / 4;
    this.#rttMs = before === undefined ? rttMs : before + (rttMs - before) / 8;
    this.#report();
  }

  /** The origin was quicker: the next request does not wait for it either, unless it answers before. */
  overdue(): void {
    this.#overdue = true;
  }

  /** The time for its answer is over. */
  unanswered(): void {
    this.#unanswered++;
    if (this.#unanswered >= reportedAfter && this.#lastAskedMs - this.#silentReportedMs >= reportedAgainMs) {
      this.#reportedSilent = true;
      this.#silentReportedMs = this.#lastAskedMs;
    }
    this.#report();
  }

  /** The result of a request to it. */
  fetched(result: RouteResult, nowMs: number): void {
    this.#down = result === 'failed';
    if (result === 'failed') this.#failed++;
    else if (result === 'answered') {
      this.#fetched++;
      if (nowMs - this.#lameUntilMs >= reportedAgainMs) this.#reportedLame = false;
    } else if (result === 'not-there') this.#notThere++;
    else {
      this.#lame++;
      this.#lameUntilMs = nowMs + lameMs;
      this.#reportedLame = true;
    }
    this.#report();
  }

  /** It could not recently fetch what another route could: others are preferred for what it has not stored. */
  isLame(nowMs: number): boolean {
    return nowMs < this.#lameUntilMs;
  }

  get #state(): PeerStatus['state'] {
    if (this.#isNameless) return 'unknown name';
    if (this.#down) return 'down';
    if (this.denying) return 'denying';
    if (this.dead) return 'dead';
    // A peer slower than the origin still has time to answer.
    return this.#unanswered === 0 ? 'up' : 'silent';
  }

  #report(): void {
    const known = this.#state;
    const mild = this.#reportedSilent ? 'silent' : this.#reportedLame ? 'lame' : 'up';
    const state = known === 'up' || known === 'silent' ? mild : known;
    if (state === this.#reported) return;
    this.#reported = state;
    this.#changed(state);
  }

  status(): PeerStatus {
    return {
      name: this.name,
      role: this.role,
      host: this.config.host,
      port: this.config.port,
      state: this.#state,
      asked: this.#queries,
      answered: this.#answered,
      hits: this.#hits,
      misses: this.#misses,
      denied: this.#denied,
      ...(this.#rttMs === undefined ? {} : { rttMs: this.#rttMs }),
      fetched: this.#fetched,
      failed: this.#failed,
      notThere: this.#notThere,
      lame: this.#lame,
      ...(this.digest === undefined ? {} : { digestEntries: this.digest.count }),
    };
  }
}
