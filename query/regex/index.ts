// Regular expressions that cannot take long: a small syntax, Thompson's automaton, and a deterministic one that is
// built as texts need it and bounded in memory. A text takes time linear in its length, whatever the expression.
export { combineLiterals, piecesIn, type SetAlgebra } from './literals.ts';
export { Regex } from './regex.ts';
export { StepBudget } from './step-budget.ts';
export { regexBounds } from './syntax.ts';
