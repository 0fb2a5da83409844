import { isOwnName } from '../summarise/index.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type RuleSubject, valuesOf, without, withValue } from './rule-subject.ts';

/** Runs an operator's program on some bytes, with limits on time and output; an abort ends it. */
export type RunProgram = (
  command: readonly string[],
  input: Uint8Array,
  signal?: AbortSignal,
) => Promise<Uint8Array>;

/** One thing a rule does. */
export type Instruction =
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove'; readonly name: string }
  /** Each value of an attribute through a program; an empty answer removes it. */
  | { readonly kind: 'pipe'; readonly name: string; readonly command: readonly string[] }
  /** Several attributes at once, as SOIF, through a program that prints SOIF. */
  | { readonly kind: 'filter'; readonly names: readonly string[]; readonly command: readonly string[] }
  | { readonly kind: 'delete' };

/** A post-summarising rule: changes the summaries that match its condition. */
export interface PostRule {
  /** Every summary when absent. */
  readonly condition?: string;
  readonly instructions: readonly Instruction[];
}

/** How the attributes of a filter travel to its program and back. */
export interface FilterForm {
  print(subject: RuleSubject): Uint8Array;
  /** Rejects when the bytes are no SOIF. */
  parse(bytes: Uint8Array): Promise<RuleSubject['attributes']>;
}

/** A program of a rule that failed or printed nothing usable. */
export interface RuleFailure {
  readonly error: unknown;
  /** The attributes that it should have changed. */
  readonly names: readonly string[];
}

/** Result of the rules for a summary. */
export interface Ruled {
  /** Undefined when a rule deletes it. */
  readonly subject: RuleSubject | undefined;
  readonly failures: readonly RuleFailure[];
}

/** The operator's compiled rules (Harvest's Post-Summarizing, since version 1.3). */
export class PostRules {
  readonly #rules: readonly {
    readonly condition: Condition;
    readonly instructions: readonly Instruction[];
  }[];
  readonly #run: RunProgram;
  readonly #form: FilterForm;

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor(rules: readonly PostRule[], run: RunProgram, form: FilterForm) {
    this.#rules = rules.map(({ condition, instructions }) => ({
      condition: condition === undefined ? () => true : parseCondition(condition),
      instructions,
    }));
    this.#run = run;
    this.#form = form;
  }

  /** Apply the rules in order, without a failed program's attributes. Rejects with the signal's reason. */
  async apply(subject: RuleSubject, signal?: AbortSignal): Promise<Ruled> {
    let current = subject;
    const failures: RuleFailure[] = [];
    // Attributes that a failed program should have changed are never published, but a rule may delete a summary because
    // of them.
    let withheld: RuleSubject = { ...subject, attributes: [] };
    for (const { condition, instructions } of this.#rules) {
      const seen = { ...current, attributes: [...current.attributes, ...withheld.attributes] };
      if (!condition(seen)) continue;
      for (const instruction of instructions) {
        switch (instruction.kind) {
          case 'delete':
            return { subject: undefined, failures };
          case 'set':
            current = withValue(current, instruction.name, instruction.value);
            withheld = without(withheld, instruction.name);
            break;
          case 'remove':
            current = without(current, instruction.name);
            withheld = without(withheld, instruction.name);
            break;
          default:
            try {
              current = await this.#changed(instruction, current, signal);
            } catch (error) {
              signal?.throwIfAborted();
              const names = instruction.kind === 'pipe' ? [instruction.name] : instruction.names;
              failures.push({ error, names });
              const left = withoutAll(current, names);
              const taken = current.attributes.filter((field) => !left.attributes.includes(field));
              withheld = { ...withheld, attributes: [...withheld.attributes, ...taken] };
              current = left;
            }
        }
      }
    }
    return { subject: current, failures };
  }

  async #changed(
    instruction: Extract<Instruction, { kind: 'pipe' | 'filter' }>,
    subject: RuleSubject,
    signal: AbortSignal | undefined,
  ): Promise<RuleSubject> {
    const { command } = instruction;
    if (instruction.kind === 'pipe') {
      const { name } = instruction;
      const value = valuesOf(subject, name).join('\n');
      if (value === '') return subject;
      const answer = Buffer.from(await this.#run(command, Buffer.from(value), signal)).toString();
      const changed = answer.replace(/\n$/, '');
      return changed === '' ? without(subject, name) : withValue(subject, name, changed);
    }
    const { names } = instruction;
    const chosen = names.flatMap((name) => valuesOf(subject, name).map((value) => [name, value] as const));
    const input = this.#form.print({ ...subject, attributes: chosen });
    const answer = await this.#form.parse(await this.#run(command, input, signal));
    // The Gatherer's own attributes stay; the program's output replaces the other chosen attributes.
    const taken = [...names.filter((name) => !isOwnName(name)), ...answer.map(([name]) => name)];
    const rest = withoutAll(subject, taken);
    return { ...rest, attributes: [...rest.attributes, ...answer] };
  }
}

function withoutAll(subject: RuleSubject, names: readonly string[]): RuleSubject {
  return names.reduce(without, subject);
}
