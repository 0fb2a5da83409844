// Programs of the operator, and those of the system that read what has no reader here: run without a shell's eyes on
// their words, in a plain environment, within bounds of time, memory and output.
export { findTool, runTool } from './external-tool.ts';
export { requireProgram } from './require-program.ts';
export { runProgram } from './run-program.ts';
export { ToolFinder } from './tool-finder.ts';
