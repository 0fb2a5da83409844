import type { GarnerError } from '../../kernel/index.ts';
import { reasonOf } from '../errors.ts';
import { documentDone, type RunReport } from '../events.ts';
import type { Outcome } from './production.ts';
import { difference, type RunCounts } from './run-counts.ts';
import { SkipReasons } from './skip-reasons.ts';

/** Failures and gone pages that a report names; the others are only counted. */
const listed = 20;
/** Refusals listed of one outermost document, so that an archive full of them hides no other. */
const listedOfOne = 5;
/** URLs named of what one rule left out. */
const listedOfRule = 5;
const maxUrlLength = 500;
const maxRules = 64;
const otherRules = 'other rules';

/** What was counted beside the documents, as it adds up over the life of the clients. */
export interface ProviderCounts {
  /** Answers of web servers by status. */
  readonly answers: RunCounts;
  /** Documents read from disk where their server lies, and those asked for all the same, by reason. */
  readonly mapped: { readonly local: number; readonly network: RunCounts };
  /** Milliseconds waited, by the setting that asked for it. */
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
  /** Why nothing was made of a URL, for whoever asks later. */
  readonly told = new SkipReasons();
  /** Roots that failed, which come first. */
  #wholes = 0;
  #reduced = 0;
  #refused = 0;
  #goneCount = 0;
  #bytesRead = 0;
  #complete = true;

  /** Whether everything was met that is there, so that what was not met is gone. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The run was stopped, or the root could not be read: what was not met may be there all the same. */
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

  /** Left out by a rule. A `limit` is always named in the report, however many other rules there were. */
  skip(url: string, rule: string, { limit = false } = {}): void {
    const named = limit || rule in this.#skipped || Object.keys(this.#skipped).length < maxRules;
    const known = named ? rule : otherRules;
    this.#skipped[known] = (this.#skipped[known] ?? 0) + 1;
    this.#firstSkipped[known] ??= [];
    const first = this.#firstSkipped[known];
    // What was left out of one document in an earlier run is told under that document's URL alone.
    const shown = url.slice(0, maxUrlLength);
    const isListed = first.length < listedOfRule && first.at(-1) !== shown;
    if (isListed) first.push(shown);
    this.told.rule(url, rule, isListed);
    documentDone.publish({ url, outcome: 'skipped', bytes: 0, reason: rule });
  }

  /** What a rule left out had a summary until now, which is deleted. */
  drop(url: string, rule: string): void {
    const known = rule in this.#skipped ? rule : otherRules;
    this.#dropped[known] = (this.#dropped[known] ?? 0) + 1;
    this.done(url, 'deleted');
  }

  /** Something inside a document could not be taken out of it; the document itself was read. */
  refuse(url: string, code: string, reason: string): void {
    this.#refused++;
    this.told.fault(url, reason);
    if (this.#refusals.length >= listed) return;
    const outer = outermost(url);
    if (this.#refusals.filter((refusal) => outermost(refusal.url) === outer).length < listedOfOne)
      this.#refusals.push({ url, code, reason });
  }

  /** As many as that beside those told of. */
  refusedMore(count: number): void {
    this.#refused += count;
  }

  /** A summary was made, and lacks something. */
  reduce(url: string, reason: string): void {
    this.#reduced++;
    if (this.#reductions.length < listed) this.#reductions.push({ url, reason });
  }

  fail(url: string, reason: string): void {
    this.#counts.failed++;
    this.told.fault(url, reason);
    if (this.#failures.length < listed) this.#failures.push({ url, reason });
    documentDone.publish({ url, outcome: 'failed', bytes: 0, reason });
  }

  /** The root itself failed: nothing is known of what was not met. The report names it first and says what to do. */
  failWhole(url: string, error: GarnerError): void {
    this.incomplete();
    // Reports about a folder name it in front.
    const said = /^(?:file:|\/)/.test(url) ? reasonOf(error) : error.message;
    this.told.fault(url, said);
    this.#failures.splice(this.#wholes++, 0, { url, reason: `${said} (${error.hint})` });
    this.#failures.splice(listed);
    this.#counts.failed++;
    documentDone.publish({ url, outcome: 'failed', bytes: 0, reason: error.message });
  }

  /** A page that is not there though `from` leads to it. */
  gone(url: string, reason: string, from: string): void {
    this.#goneCount++;
    this.told.fault(url, `${reason}, named by ${from}`);
    if (this.#gone.length < listed) this.#gone.push({ url, reason, from });
  }

  report(end: {
    readonly ms: number;
    readonly objects: number;
    /** What was counted up to the run's begin and to its end. */
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

/** The document that a part lies in. */
function outermost(url: string): string {
  return url.replace(/#.*$/s, '');
}
