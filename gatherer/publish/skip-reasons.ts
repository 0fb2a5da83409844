/** Max named URLs of each kind. */
const maxNamed = 1000;
const maxUrlLength = 2000;
const maxReasonLength = 300;

/** The reasons for URLs without a summary, stored for `why`. */
export interface ReasonCounts {
  /** URL and reason. */
  readonly named: readonly (readonly [url: string, reason: string])[];
  /** Whether there were more. */
  readonly more: boolean;
}

/** Notes why URLs of a run have no summary: the first reason of each, in bounded memory. */
export class SkipReasons {
  readonly #faults = new Map<string, string>();
  readonly #rules = new Map<string, string>();
  #more = false;

  /** The URL could not be read, does not exist, or is no document. */
  fault(url: string, reason: string): void {
    this.#note(this.#faults, url, reason, false);
  }

  /** A rule leaves the URL out. `listed`: the report names it, so it is always noted. */
  rule(url: string, rule: string, listed: boolean): void {
    this.#note(this.#rules, url, rule, listed);
  }

  get all(): ReasonCounts {
    return { named: [...new Map([...this.#rules, ...this.#faults])], more: this.#more };
  }

  #note(into: Map<string, string>, url: string, reason: string, always: boolean): void {
    if (into.has(url)) return;
    if ((into.size >= maxNamed && !always) || url.length > maxUrlLength) this.#more = true;
    else into.set(url, reason.slice(0, maxReasonLength));
  }
}

/** The reasons of an incomplete run, merged with those of earlier runs. */
export function mergeReasons(now: ReasonCounts, earlier: ReasonCounts): ReasonCounts {
  const all = [...new Map([...earlier.named, ...now.named])];
  const named = all.slice(-2 * maxNamed);
  return { named, more: now.more || earlier.more || named.length < all.length };
}
