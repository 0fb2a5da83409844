import { partUrl } from '../../readers/document/index.ts';
import type { Tally } from './run-statistics.ts';

/**
 * What a look at a document found that its report must say. It is kept beside what is remembered of the document, so
 * that runs which do not read it again say it too.
 */
export interface Findings {
  /** What was left out of it, itself perhaps, by rule. */
  readonly left?: Readonly<Record<string, number>>;
  /** Parts that could not be taken out: how many, and the first of them. */
  readonly refused?: number;
  readonly refusals?: readonly { readonly part: string; readonly code: string; readonly reason: string }[];
  /** What its summary says of what it lacks. */
  readonly note?: string;
}

const listed = 5;
const maxRules = 16;
const longest = 300;

/** Gathers the findings of one document while they are told. */
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
    if (this.#refused++ < listed) this.#refusals.push({ part, code, reason: reason.slice(0, longest) });
  }

  /** A summary of the document or of a part of it lacks something. */
  reduced(part: string, note: string): void {
    const short = note.slice(0, longest);
    this.#tally.reduce(partUrl(this.#url, part), short);
    if (part === '') this.#note = short;
  }

  /** What is to be remembered, or undefined when there is nothing to say. */
  get findings(): Findings | undefined {
    const refused = this.#refused > 0 ? { refused: this.#refused, refusals: this.#refusals } : {};
    const left = Object.keys(this.#left).length > 0 ? { left: this.#left } : {};
    const note = this.#note === undefined ? {} : { note: this.#note };
    const all = { ...left, ...refused, ...note };
    return Object.keys(all).length === 0 ? undefined : all;
  }
}

/** Say again what was found when a document was read. */
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
