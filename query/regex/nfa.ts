import { failure } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';
import type { CharSet } from './char-set.ts';
import { type Assertion, type RegexTree, regexBounds } from './syntax.ts';

/** One instruction of an automaton; `next` and `other` are indexes of instructions. */
export type Instruction =
  | { readonly kind: 'take'; readonly set: number; readonly next: number }
  | { readonly kind: 'split'; readonly next: number; readonly other: number }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'match' };

/** A nondeterministic automaton (Thompson 1968). */
export interface Nfa {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** It reads texts from their end. */
  readonly backward: boolean;
}

/** The different sets of an expression. */
export class CharSets {
  readonly all: CharSet[] = [];
  readonly #known = new Map<string, number>();

  indexOf(set: CharSet): number {
    const key = set.join();
    const index = this.#known.get(key) ?? this.all.push(set) - 1;
    this.#known.set(key, index);
    return index;
  }
}

/** The automaton of a regular expression or its mirror image; `sets` has the sets. Throws QUERY_REGEX. */
export function buildNfa(tree: RegexTree, pattern: string, backward: boolean, sets: CharSets): Nfa {
  const instructions: Instruction[] = [{ kind: 'match' }];

  const add = (instruction: Instruction): number => {
    if (instructions.length >= regexBounds.states) {
      const reason = `written out it has more than ${regexBounds.states} states; repeat less often`;
      throw failure(queryErrors.QUERY_REGEX, { pattern, reason });
    }
    instructions.push(instruction);
    return instructions.length - 1;
  };
  /** The instruction that matches the tree and continues at `next`. */
  const build = (node: RegexTree, next: number): number => {
    switch (node.kind) {
      case 'set':
        return add({ kind: 'take', set: sets.indexOf(node.set), next });
      case 'assertion':
        return add({ kind: 'assert', assertion: node.assertion, next });
      case 'concat': {
        const parts = backward ? node.parts : node.parts.toReversed();
        return parts.reduce((after, part) => build(part, after), next);
      }
      case 'either': {
        const starts = node.parts.map((part) => build(part, next));
        return starts.reduceRight((other, start) => add({ kind: 'split', next: start, other }));
      }
      case 'repeat':
        return repeat(node, next);
    }
  };
  const repeat = ({ part, min, max }: Extract<RegexTree, { kind: 'repeat' }>, next: number): number => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      // The loop instruction exists before its body.
      const loop = add({ kind: 'split', next, other: next });
      instructions[loop] = { kind: 'split', next: build(part, loop), other: next };
      after = loop;
    } else {
      for (let time = min; time < max; time++)
        after = add({ kind: 'split', next: build(part, after), other: next });
    }
    for (let time = 0; time < min; time++) {
      const before = instructions.length;
      after = build(part, after);
      // A repeated empty part has no instructions and must not take time.
      if (instructions.length === before) break;
    }
    return after;
  };
  const start = build(tree, 0);
  return { instructions, start, backward };
}
