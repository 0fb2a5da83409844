import { join } from 'node:path';
import { type Clock, isGarnerError, LineBound, type Random } from '../../kernel/index.ts';
import { brokerFault } from '../events.ts';
import { AuditFile } from './audit-file.ts';

/** One administrative action, or a caller that was refused one. */
export interface AuditEntry {
  readonly id: string;
  /** Start; milliseconds since 1970. */
  readonly at: number;
  /** The token's name, `command line` for a command on this machine, or `nobody` without a known token. */
  readonly who: string;
  /** The action, for example `source add`. */
  readonly action: string;
  readonly detail: string;
  /** `unfinished` while it runs, after a crash during it, and when its end could not be written. */
  readonly outcome: 'done' | 'failed' | 'refused' | 'unfinished';
  /** Its result, or the reason of a failure. */
  readonly note: string;
}

/** The line written before an action begins. */
type Begun = Omit<AuditEntry, 'outcome' | 'note'>;

interface Ended {
  readonly id: string;
  readonly ended: number;
  readonly outcome: 'done' | 'failed';
  readonly note: string;
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
}

const maxTextLength = 500;
const short = (text: string) =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1)}…`;

/**
 * Records every administrative action on this Broker before it is done, and again when it has ended. Refusals
 * have a file of their own, so that a flood of them displaces no action.
 */
export class AuditTrail {
  readonly #actions: AuditFile;
  readonly #refusals: AuditFile;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #bound: LineBound;

  private constructor(actions: AuditFile, refusals: AuditFile, { clock, random }: Parts) {
    this.#actions = actions;
    this.#refusals = refusals;
    this.#clock = clock;
    this.#bound = new LineBound(clock);
    this.#random = random;
  }

  static async open(folder: string, parts: Parts): Promise<AuditTrail> {
    const actions = await AuditFile.open(join(folder, 'audit.jsonl'));
    return new AuditTrail(actions, await AuditFile.open(join(folder, 'audit-refused.jsonl')), parts);
  }

  /** Do and record an action; `said` makes its note. Throws BROKER_AUDIT before anything is done. */
  async action<Result>(
    about: { readonly who: string; readonly action: string; readonly detail: string },
    work: () => Promise<Result>,
    said: (result: Result) => string = () => '',
  ): Promise<Result> {
    const id = this.#id();
    const { who, action, detail } = about;
    const began: Begun = { id, at: this.#clock.now(), who: short(who), action, detail: short(detail) };
    await this.#actions.write(began);
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      const problem = isGarnerError(error) ? `${error.code}: ${error.message}` : String(error);
      await this.#end(id, 'failed', problem);
      throw error;
    }
    await this.#end(id, 'done', said(result));
    return result;
  }

  /** A finished action is not undone when this cannot be written: it stays `unfinished` in the list. */
  async #end(id: string, outcome: Ended['outcome'], note: string): Promise<void> {
    try {
      await this.#actions.write({ id, ended: this.#clock.now(), outcome, note: short(note) });
    } catch (error) {
      brokerFault.publish({ where: 'writing how an administrative action ended', error });
    }
  }

  /** Record that a caller was refused. Of a flood, the first in a minute are written, then only a count. */
  async refused(about: {
    readonly who: string | undefined;
    readonly action: string;
    readonly note: string;
  }): Promise<void> {
    const now = this.#clock.now();
    const before = this.#bound.pass();
    if (before === undefined) return;
    const more = before === 0 ? '' : `; ${before} more before it`;
    await this.#refusals.write({
      ...{ id: this.#id(), at: now, who: short(about.who ?? 'nobody'), action: short(about.action) },
      ...{ detail: '', outcome: 'refused', note: short(`${about.note}${more}`) },
    });
  }

  /** The newest entries that began before `before` (milliseconds since 1970), newest first. */
  async list(limit: number, before = Number.POSITIVE_INFINITY): Promise<readonly AuditEntry[]> {
    const actions = await taken(this.#begun(before), limit);
    const refusals = await taken(this.#turnedAway(before), limit);
    return [...actions, ...refusals].sort((a, b) => b.at - a.at).slice(0, limit);
  }

  async *#begun(before: number): AsyncIterable<AuditEntry> {
    const ends = new Map<string, Ended>();
    for await (const value of this.#actions.newestFirst()) {
      const line = value as Begun | Ended;
      if ('outcome' in line) {
        ends.set(line.id, line);
        continue;
      }
      const end = ends.get(line.id);
      ends.delete(line.id);
      if (line.at < before) yield { ...line, outcome: end?.outcome ?? 'unfinished', note: end?.note ?? '' };
    }
  }

  async *#turnedAway(before: number): AsyncIterable<AuditEntry> {
    for await (const value of this.#refusals.newestFirst()) {
      const entry = value as AuditEntry;
      if (entry.at < before) yield entry;
    }
  }

  #id(): string {
    return Buffer.from(this.#random.bytes(9)).toString('base64url');
  }
}

async function taken(entries: AsyncIterable<AuditEntry>, limit: number): Promise<AuditEntry[]> {
  const first: AuditEntry[] = [];
  for await (const entry of entries) {
    if (first.length >= limit) break;
    first.push(entry);
  }
  return first;
}
