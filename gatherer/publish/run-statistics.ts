import type { GarnerError } from '../../kernel/index.ts';
import { reasonOf } from '../errors.ts';
import { documentDone, type RunReport } from '../events.ts';
import type { Outcome } from './production.ts';
import { SkipReasons } from './skip-reasons.ts';

/** Cumulative counts, by name. */
export type RunCounts = Readonly<Record<string, number>>;

/** The increase of each count, as whole numbers, without unchanged ones. */
export function difference(before: RunCounts, after: RunCounts): RunCounts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, Math.round(count - (before[name] ?? 0))] as const)
      .filter(([, count]) => count > 0),
  );
}

/** The sum of several counts. */
export function sumOf(all: readonly RunCounts[]): RunCounts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** Max failures and missing pages that a report names; the others are only counted. */
const listed = 20;
/** Max listed refusals of one outermost document, so that an archive full of them hides no other. */
const listedOfOne = 5;
/** Max named URLs per rule. */
const listedOfRule = 5;
const maxUrlLength = 500;
const maxRules = 64;
const otherRules = 'other rules';

/** Cumulative counts of the clients. */
export interface ProviderCounts {
  /** Answers of web servers by status. */
  readonly answers: RunCounts;
  /** Documents read from the disk of their server, and those requested over the network, by reason. */
  readonly mapped: { readonly local: number; readonly network: RunCounts };
  /** Milliseconds waited, by the setting that demanded it. */
  readonly waited: RunCounts;
}

const nothingCounted: ProviderCounts = { answers: {}, mapped: { local: 0, network: {} }, waited: {} };

/** The running count of one run or update. */
export class Tally {
  readonly #counts = { added: 0, changed: 0, refreshed: 0, unchanged: 0, deleted: 0, failed: 0 };
  readonly #skipped: Record<string, number> = {};
  readonly #firstSkipped: Record<string, string[]> = {};
  readonly #dropped: Record<string, number> = {};
  readonly #failures: { url: string; reason: string }[] = [];
  readonly #gone: { url: string; reason: string; from: string }[] = [];
  readonly #refusals: { url: string; code: string; reason: string }[] = [];
  readonly #reductions: { url: string; reason: string }[] = [];
  /** Reasons for URLs without a summary, for `why`. */
  readonly reasons = new SkipReasons();
  /** Roots that failed, which come first. */
  #wholes = 0;
  #reduced = 0;
  #refused = 0;
  #goneCount = 0;
  #bytesRead = 0;
  #complete = true;

  /** Whether every existing document was met, so that the others are deleted. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The run was stopped, or the root could not be read: documents that were not met may exist. */
  incomplete(): void {
    this.#complete = false;
  }

  read(bytes: number): void {
    this.#bytesRead += bytes;
  }

  done(url: string, outcome: Outcome | 'deleted'): void {
    this.#counts[outcome]++;
    documentDone.publish({ url, outcome, bytes: 0 });
  }

  /** Left out by a rule. A `limit` is always named in the report, whatever the number of rules. */
  skip(url: string, rule: string, { limit = false } = {}): void {
    const named = limit || rule in this.#skipped || Object.keys(this.#skipped).length < maxRules;
    const known = named ? rule : otherRules;
    this.#skipped[known] = (this.#skipped[known] ?? 0) + 1;
    this.#firstSkipped[known] ??= [];
    const first = this.#firstSkipped[known];
    // Parts left out in an earlier run are reported under the URL of their document.
    const shown = url.slice(0, maxUrlLength);
    const isListed = first.length < listedOfRule && first.at(-1) !== shown;
    if (isListed) first.push(shown);
    this.reasons.rule(url, rule, isListed);
    documentDone.publish({ url, outcome: 'skipped', bytes: 0, reason: rule });
  }

  /** A document that a rule left out had a summary, which is deleted. */
  drop(url: string, rule: string): void {
    const known = rule in this.#skipped ? rule : otherRules;
    this.#dropped[known] = (this.#dropped[known] ?? 0) + 1;
    this.done(url, 'deleted');
  }

  /** A part of a document could not be taken out; the document itself was read. */
  refuse(url: string, code: string, reason: string): void {
    this.#refused++;
    this.reasons.fault(url, reason);
    if (this.#refusals.length >= listed) return;
    const outer = outermost(url);
    if (this.#refusals.filter((refusal) => outermost(refusal.url) === outer).length < listedOfOne)
      this.#refusals.push({ url, code, reason });
  }

  /** Count further refusals that are not listed. */
  refusedMore(count: number): void {
    this.#refused += count;
  }

  /** A summary was made, but reduced. */
  reduce(url: string, reason: string): void {
    this.#reduced++;
    if (this.#reductions.length < listed) this.#reductions.push({ url, reason });
  }

  fail(url: string, reason: string): void {
    this.#counts.failed++;
    this.reasons.fault(url, reason);
    if (this.#failures.length < listed) this.#failures.push({ url, reason });
    documentDone.publish({ url, outcome: 'failed', bytes: 0, reason });
  }

  /** The root itself failed, so unmet documents are unknown; the report names it first, with a hint. */
  failWhole(url: string, error: GarnerError): void {
    this.incomplete();
    // Reports about a folder begin with its path.
    const text = /^(?:file:|\/)/.test(url) ? reasonOf(error) : error.message;
    this.reasons.fault(url, text);
    this.#failures.splice(this.#wholes++, 0, { url, reason: `${text} (${error.hint})` });
    this.#failures.splice(listed);
    this.#counts.failed++;
    documentDone.publish({ url, outcome: 'failed', bytes: 0, reason: error.message });
  }

  /** A missing page to which `from` links. */
  gone(url: string, reason: string, from: string): void {
    this.#goneCount++;
    this.reasons.fault(url, `${reason}, named by ${from}`);
    if (this.#gone.length < listed) this.#gone.push({ url, reason, from });
  }

  report(end: {
    readonly ms: number;
    readonly objects: number;
    /** Cumulative counts at the run's begin and end. */
    readonly counts?: readonly [before: ProviderCounts, after: ProviderCounts];
  }): RunReport {
    const [before, after] = end.counts ?? [nothingCounted, nothingCounted];
    return {
      ...this.#counts,
      skipped: this.#skipped,
      firstSkipped: this.#firstSkipped,
      dropped: this.#dropped,
      failures: this.#failures,
      refused: this.#refused,
      refusals: this.#refusals,
      reduced: this.#reduced,
      reductions: this.#reductions,
      goneCount: this.#goneCount,
      gone: this.#gone,
      answers: difference(before.answers, after.answers),
      mapped: {
        local: after.mapped.local - before.mapped.local,
        network: difference(before.mapped.network, after.mapped.network),
      },
      waited: difference(before.waited, after.waited),
      bytesRead: this.#bytesRead,
      ms: end.ms,
      objects: end.objects,
      complete: this.#complete,
    };
  }
}

/** The outermost document of a part. */
function outermost(url: string): string {
  return url.replace(/#.*$/s, '');
}
