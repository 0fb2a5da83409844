import type { Alphabet } from './alphabet.ts';
import type { Nfa } from './nfa.ts';
import type { StepBudget } from './step-budget.ts';

/** Max states in memory; beyond it all are dropped and built again as they are reached. */
const maxStates = 1024;

interface State {
  /** Instructions to continue from, not yet followed: their assertions depend on the next character. */
  readonly waiting: readonly number[];
  /** The character that was read last. */
  readonly seen: { readonly breaksLine: boolean; readonly isWord: boolean };
  /** For each kind of the next character: twice the next state, plus 1 when a match ends; -1: not built. */
  readonly next: Int32Array;
}

/** Work done: characters read plus instructions followed. Tests bound it. */
export interface StepCounter {
  steps: number;
  /** Budget for building states; no bound when absent. */
  readonly budget?: StepBudget | undefined;
}

/**
 * A deterministic automaton, built as texts need it. Reading a character takes time at most linear in the
 * expression's states, and usually one table look-up; memory is bounded.
 */
export class Dfa {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #anywhere: boolean;
  readonly #counter: StepCounter;
  #states: State[] = [];
  #known = new Map<string, number>();
  readonly #mark: Uint32Array;
  #round = 0;

  /** `anywhere`: a match may begin at every character, not only at the first. */
  constructor(nfa: Nfa, alphabet: Alphabet, anywhere: boolean, counter: StepCounter) {
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#anywhere = anywhere;
    this.#counter = counter;
    this.#mark = new Uint32Array(nfa.instructions.length);
  }

  /** The state before the first character; `seen` is the kind of the character before it. */
  start(seen: number): number {
    return this.#intern([this.#nfa.start], seen);
  }

  /** Read a character of this kind: twice the next state, plus one when a match ends before the character. */
  step(state: number, kind: number): number {
    const known = (this.#states[state] as State).next[kind] as number;
    return known >= 0 ? known : this.#build(state, kind);
  }

  /** Whether no further match is possible. */
  isDead(state: number): boolean {
    return (this.#states[state] as State).waiting.length === 0;
  }

  #build(state: number, kind: number): number {
    const from = this.#states[state] as State;
    const before = this.#counter.steps;
    const taken: number[] = [];
    const matched = this.#follow(from, kind, taken);
    if (this.#anywhere) taken.push(this.#nfa.start);
    const forgotten = this.#states.length >= maxStates;
    const result = 2 * this.#intern(taken, kind) + (matched ? 1 : 0);
    // After the states were dropped, the previous state has no number any more.
    if (!forgotten) from.next[kind] = result;
    this.#counter.budget?.spend(this.#counter.steps - before);
    return result;
  }

  /** Follow the waiting instructions to the next character; `taken` receives the successors. */
  #follow({ waiting, seen }: State, kind: number, taken: number[]): boolean {
    const { instructions, backward } = this.#nfa;
    const alphabet = this.#alphabet;
    const coming = { breaksLine: alphabet.breaksLine(kind), isWord: alphabet.isWord(kind) };
    const [left, right] = backward ? [coming, seen] : [seen, coming];
    const round = ++this.#round;
    const stack = [...waiting];
    let matched = false;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#mark[at] === round) continue;
      this.#mark[at] = round;
      this.#counter.steps++;
      const instruction = instructions[at];
      switch (instruction?.kind) {
        case 'match':
          matched = true;
          break;
        case 'take':
          if (kind !== alphabet.edge && alphabet.isIn(kind, instruction.set)) taken.push(instruction.next);
          break;
        case 'split':
          stack.push(instruction.next, instruction.other);
          break;
        case 'assert': {
          const isEdge = left.isWord !== right.isWord;
          const holds =
            instruction.assertion === 'lineStart'
              ? left.breaksLine
              : instruction.assertion === 'lineEnd'
                ? right.breaksLine
                : isEdge === (instruction.assertion === 'wordEdge');
          if (holds) stack.push(instruction.next);
          break;
        }
      }
    }
    return matched;
  }

  #intern(waiting: readonly number[], kind: number): number {
    const own = [...new Set(waiting)].sort((a, b) => a - b);
    const seen = { breaksLine: this.#alphabet.breaksLine(kind), isWord: this.#alphabet.isWord(kind) };
    const key = `${seen.breaksLine ? 1 : 0}${seen.isWord ? 1 : 0},${own.join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#states.length >= maxStates) {
      this.#states = [];
      this.#known = new Map();
    }
    this.#counter.steps += own.length;
    this.#states.push({ waiting: own, seen, next: new Int32Array(this.#alphabet.size).fill(-1) });
    this.#known.set(key, this.#states.length - 1);
    return this.#states.length - 1;
  }
}
