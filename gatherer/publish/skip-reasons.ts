/** So many URLs are named of each kind; of more it is only known that there are. */
const maxNamed = 1000;
const maxUrlLength = 2000;
const maxReasonLength = 300;

/** What came of the URLs that a run made nothing of, as it is kept for whoever asks why. */
export interface ReasonCounts {
  /** URL and reason. */
  readonly named: readonly (readonly [url: string, reason: string])[];
  /** Whether there were more than are named. */
  readonly more: boolean;
}

/** Notes for a run why nothing was made of a URL: the first reason of each, in bounded memory. */
export class SkipReasons {
  readonly #faults = new Map<string, string>();
  readonly #rules = new Map<string, string>();
  #more = false;

  /** It could not be read, is not there, or is no document. */
  fault(url: string, reason: string): void {
    this.#note(this.#faults, url, reason, false);
  }

  /** A rule leaves it out. `listed`: the report names it, so that it is noted however many there are. */
  rule(url: string, rule: string, listed: boolean): void {
    this.#note(this.#rules, url, rule, listed);
  }

  get reasons(): ReasonCounts {
    return { named: [...new Map([...this.#rules, ...this.#faults])], more: this.#more };
  }

  #note(into: Map<string, string>, url: string, reason: string, always: boolean): void {
    if (into.has(url)) return;
    if ((into.size >= maxNamed && !always) || url.length > maxUrlLength) this.#more = true;
    else into.set(url, reason.slice(0, maxReasonLength));
  }
}

/** What a run told, before what earlier ones did: of a run that did not meet everything. */
export function mergeReasons(now: ReasonCounts, earlier: ReasonCounts): ReasonCounts {
  const all = [...new Map([...earlier.named, ...now.named])];
  const named = all.slice(-2 * maxNamed);
  return { named, more: now.more || earlier.more || named.length < all.length };
}
