// Regular expressions in linear time: a small syntax, Thompson's automaton, and a deterministic automaton
// that is built as texts need it and bounded in memory. Read regex.ts, then syntax.ts, nfa.ts and dfa.ts.
export { combineLiterals, piecesIn, type SetAlgebra } from './literals.ts';
export { Regex } from './regex.ts';
export { StepBudget } from './step-budget.ts';
export { regexBounds } from './syntax.ts';
