import { partUrl } from '../../readers/document/index.ts';
import type { Tally } from './run-statistics.ts';

/** Findings of reading a document, stored in its row so that runs which do not read it report them too. */
export interface Findings {
  /** Number of parts left out of it, perhaps itself, by rule. */
  readonly left?: Readonly<Record<string, number>>;
  /** Parts that could not be taken out: their number, and the first of them. */
  readonly refused?: number;
  readonly refusals?: readonly { readonly part: string; readonly code: string; readonly reason: string }[];
  /** The Summary-Note of its summary. */
  readonly note?: string;
}

const listed = 5;
const maxRules = 16;
const maxReasonLength = 300;

/** Collects the findings of one document. */
export class FindingsRecorder {
  readonly #url: string;
  readonly #tally: Tally;
  readonly #left: Record<string, number> = {};
  readonly #refusals: { part: string; code: string; reason: string }[] = [];
  #refused = 0;
  #note: string | undefined;

  constructor(url: string, tally: Tally) {
    this.#url = url;
    this.#tally = tally;
  }

  left(part: string, rule: string): void {
    this.#tally.skip(partUrl(this.#url, part), rule);
    const known = rule in this.#left || Object.keys(this.#left).length < maxRules ? rule : 'other rules';
    this.#left[known] = (this.#left[known] ?? 0) + 1;
  }

  refused(part: string, code: string, reason: string): void {
    this.#tally.refuse(partUrl(this.#url, part), code, reason);
    if (this.#refused++ < listed)
      this.#refusals.push({ part, code, reason: reason.slice(0, maxReasonLength) });
  }

  /** A summary of the document or of a part of it lacks something. */
  reduced(part: string, note: string): void {
    const short = note.slice(0, maxReasonLength);
    this.#tally.reduce(partUrl(this.#url, part), short);
    if (part === '') this.#note = short;
  }

  /** The findings to store, or undefined when there are none. */
  get findings(): Findings | undefined {
    const refused = this.#refused > 0 ? { refused: this.#refused, refusals: this.#refusals } : {};
    const left = Object.keys(this.#left).length > 0 ? { left: this.#left } : {};
    const note = this.#note === undefined ? {} : { note: this.#note };
    const all = { ...left, ...refused, ...note };
    return Object.keys(all).length === 0 ? undefined : all;
  }
}

/** Report the stored findings of a document again. */
export function replayFindings(
  url: string,
  { left, refused = 0, refusals = [], note }: Findings,
  tally: Tally,
): void {
  for (const [rule, count] of Object.entries(left ?? {}))
    for (let at = 0; at < count; at++) tally.skip(url, rule);
  for (const { part, code, reason } of refusals) tally.refuse(partUrl(url, part), code, reason);
  tally.refusedMore(refused - refusals.length);
  if (note !== undefined) tally.reduce(url, note);
}
