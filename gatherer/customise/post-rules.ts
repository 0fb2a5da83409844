import { type Condition, parseCondition } from './condition.ts';
import { type RuleSubject, valuesOf, without, withValue } from './rule-subject.ts';

/** Runs an operator's program on some bytes; bounded in time and output. */
export type RunProgram = (command: readonly string[], input: Uint8Array) => Promise<Uint8Array>;

/** One thing a rule does. */
export type Instruction =
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove'; readonly name: string }
  /** Each value of an attribute through a program; an empty answer removes it. */
  | { readonly kind: 'pipe'; readonly name: string; readonly command: readonly string[] }
  /** Several attributes at once, as SOIF, through a program that answers in SOIF. */
  | { readonly kind: 'filter'; readonly names: readonly string[]; readonly command: readonly string[] }
  | { readonly kind: 'delete' };

/** A post-summarising rule: what happens to a summary that fits. */
export interface PostRule {
  /** Every summary when absent. */
  readonly condition?: string;
  readonly instructions: readonly Instruction[];
}

/** How the attributes of a filter travel to its program and back. */
export interface FilterForm {
  print(subject: RuleSubject): Uint8Array;
  /** Rejects when it is no SOIF. */
  parse(bytes: Uint8Array): Promise<RuleSubject['attributes']>;
}

/** The operator's rules, ready to be applied in order (Harvest's Post-Summarizing, since version 1.3). */
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

  /** The summary as the rules leave it, or undefined when one of them deletes it. A program's failure throws. */
  async apply(subject: RuleSubject): Promise<RuleSubject | undefined> {
    let current = subject;
    for (const { condition, instructions } of this.#rules) {
      if (!condition(current)) continue;
      for (const instruction of instructions) {
        if (instruction.kind === 'delete') return undefined;
        current = await this.#do(instruction, current);
      }
    }
    return current;
  }

  async #do(
    instruction: Exclude<Instruction, { kind: 'delete' }>,
    subject: RuleSubject,
  ): Promise<RuleSubject> {
    switch (instruction.kind) {
      case 'set':
        return withValue(subject, instruction.name, instruction.value);
      case 'remove':
        return without(subject, instruction.name);
      case 'pipe': {
        const { name, command } = instruction;
        const value = valuesOf(subject, name).join('\n');
        if (value === '') return subject;
        const answer = Buffer.from(await this.#run(command, Buffer.from(value))).toString();
        const changed = answer.replace(/\n$/, '');
        return changed === '' ? without(subject, name) : withValue(subject, name, changed);
      }
      case 'filter': {
        const { names, command } = instruction;
        const chosen = names.flatMap((name) =>
          valuesOf(subject, name).map((value) => [name, value] as const),
        );
        const input = this.#form.print({ ...subject, attributes: chosen });
        const answer = await this.#form.parse(await this.#run(command, input));
        let current = subject;
        for (const name of names) current = without(current, name);
        return { ...current, attributes: [...current.attributes, ...answer] };
      }
    }
  }
}
