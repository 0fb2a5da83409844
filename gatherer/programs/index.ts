// Programs of the operator, and those of the system that read what has no reader here: run without a shell's eyes on
// their words, in a plain environment, within bounds of time, memory and output.
export { runBounded } from './bounded-run.ts';
export { programErrors } from './errors.ts';
export { requireProgram } from './require-program.ts';
export { type ProgramRun, runProgram } from './run-program.ts';
