import type { RouteResult } from '../requests/index.ts';
import type { CacheDigest } from './digest.ts';
import type { IcpReplyName } from './icp.ts';
import { invites } from './resolution.ts';

/** A cache that ours works with, as its operator describes it. */
export interface PeerConfig {
  readonly role: 'parent' | 'sibling';
  readonly host: string;
  /** Where it takes HTTP requests as a proxy. */
  readonly port: number;
  /** Where it answers ICP; absent or 0: it is not asked. */
  readonly icpPort?: number;
  /** Where it answers HTCP, which is then used in place of ICP. */
  readonly htcpPort?: number;
  /** The name of the key that all HTCP between it and us is signed with. */
  readonly htcpKey?: string;
  /** What it is called in status, in hashing, and in CARP; `host:port` when absent. */
  readonly name?: string;
  /** Of a parent: hosts that go through it without a question, as `example.org` or `.edu`; `!` before one takes it out. */
  readonly domains?: readonly string[];
  /** Share among parents that are chosen by hash; 1 when absent. */
  readonly weight?: number;
  /** Of a parent: not asked, but chosen by a hash of the URL among those of the same kind. */
  readonly hash?: 'rendezvous' | 'carp';
  /** Ask for its digest, and as long as there is one, look there in place of asking. */
  readonly digest?: boolean;
  /** It may have us forget objects (HTCP CLR). */
  readonly mayClear?: boolean;
}

/** How a peer stands, for status and metrics. */
export interface PeerStatus {
  readonly name: string;
  readonly role: 'parent' | 'sibling';
  readonly host: string;
  readonly port: number;
  /**
   * `silent`: not waited for until it answers; `dead`: asked now and then; `down`: not reached over HTTP; `unknown name`: its
   * host has no address.
   */
  readonly state: 'up' | 'silent' | 'dead' | 'denying' | 'down' | 'unknown name';
  readonly asked: number;
  readonly answered: number;
  readonly hits: number;
  readonly misses: number;
  readonly denied: number;
  /** Milliseconds that its answers take, smoothed. */
  readonly rttMs?: number;
  /** Requests sent to it: answered, failed, those it had not (a sibling's 504), and those it could not fetch when others could. */
  readonly fetched: number;
  readonly failed: number;
  readonly notThere: number;
  readonly lame: number;
  /** Entries of its digest, when we have one. */
  readonly digestEntries?: number;
}

/** What others are told of. */
export type ReportedState = PeerStatus['state'] | 'lame';

/** RFC 2187 5.3: so many questions in a row without an answer, and it is dead. */
const deadAfter = 20;
/** So many answers say how long it takes, and that it fetches for us. */
const sureAfter = 16;
/** What could not be fetched may be fetched again after this time. */
const lameMs = 10_000;
/** One lost datagram makes a peer silent, which is not worth a word; so many in a row are. */
const reportedAfter = 3;
/** One that is lame or silent now and then is told of once in this time. */
const reportedAgainMs = 60_000;
/** A dead one is asked this often, so that it comes alive by answering. */
const revivalMs = 10_000;
/** More than 95 of 100 answers DENIED: it does not know us, and is asked no more. */
const minDenied = 100;
const deniedShare = 0.95;

/**
 * What is known of a peer. Pure. A peer that let one round of questions end without an answer is not waited for again
 * until it answers, so that a dead one costs the time-out once; after twenty it is dead and asked every ten seconds.
 */
export class Peer {
  readonly config: PeerConfig;
  readonly role: 'parent' | 'sibling';
  readonly name: string;
  readonly weight: number;
  /** As the name service gives them; datagrams are told by these. */
  addresses: readonly string[] = [];
  /** Ours, as it sees it; looked up where something is signed. */
  ownAddress = '';
  digest: CacheDigest | undefined;
  readonly #changed: (state: ReportedState) => void;
  #told: ReportedState = 'up';
  #down = false;
  #isNameless = false;
  #unanswered = 0;
  #overdue = false;
  #lastAskedMs = Number.NEGATIVE_INFINITY;
  #asked = 0;
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

  /** `changed` is told of each change between being up and being of no use, which may be for a while. */
  constructor(config: PeerConfig, changed: (state: ReportedState) => void = () => {}) {
    this.config = config;
    this.#changed = changed;
    this.role = config.role;
    this.name = config.name ?? `${config.host}:${config.port}`;
    this.weight = config.weight ?? 1;
  }

  /** Not reached over HTTP; somebody tries until it is. */
  get down(): boolean {
    return this.#down;
  }

  /** It takes connections again. */
  reached(): void {
    this.#down = false;
    this.#tell();
  }

  /** Its name was looked up. While the name service fails, what was known is better than nothing. */
  resolved(addresses: readonly string[]): void {
    if (addresses.length > 0) this.addresses = addresses;
    this.#isNameless = this.addresses.length === 0;
    this.#tell();
  }

  get dead(): boolean {
    return this.#unanswered >= deadAfter;
  }

  /** It answers, but nearly always that we may not ask. */
  get denying(): boolean {
    return this.#answered >= minDenied && this.#denied > this.#answered * deniedShare;
  }

  /** It speaks ICP or HTCP. */
  get speaks(): boolean {
    return (this.config.htcpPort ?? 0) > 0 || (this.config.icpPort ?? 0) > 0;
  }

  /** Whether to send it a question now. */
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

  /** How long an answer may take, by those that came: twice as long as usual, or as they vary (RFC 6298 2). */
  get patienceMs(): number | undefined {
    return this.#rttMs === undefined ? undefined : this.#rttMs + Math.max(this.#rttMs, 4 * this.#rttSpreadMs);
  }

  /** It is known well, and its last answer said that it may be asked for objects, whether it has them or not. */
  get isSure(): boolean {
    return this.#answered >= sureAfter && this.#invites && this.expected;
  }

  /** When it was last heard. */
  get heardMs(): number {
    return this.#heardMs;
  }

  asked(nowMs: number): void {
    this.#asked++;
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
    this.#tell();
  }

  /** The origin was quicker: the next request does not wait for it either, unless it answers until then. */
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
    this.#tell();
  }

  /** What came of a request that it was sent. */
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
    this.#tell();
  }

  /** It said of late that it could not fetch what another way could: others are better asked for what it has not. */
  isLame(nowMs: number): boolean {
    return nowMs < this.#lameUntilMs;
  }

  get #state(): PeerStatus['state'] {
    if (this.#isNameless) return 'unknown name';
    if (this.#down) return 'down';
    if (this.denying) return 'denying';
    if (this.dead) return 'dead';
    // One that the origin was quicker than has time left to answer in.
    return this.#unanswered === 0 ? 'up' : 'silent';
  }

  #tell(): void {
    const known = this.#state;
    const mild = this.#reportedSilent ? 'silent' : this.#reportedLame ? 'lame' : 'up';
    const state = known === 'up' || known === 'silent' ? mild : known;
    if (state === this.#told) return;
    this.#told = state;
    this.#changed(state);
  }

  status(): PeerStatus {
    return {
      name: this.name,
      role: this.role,
      host: this.config.host,
      port: this.config.port,
      state: this.#state,
      asked: this.#asked,
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
