// Finds and runs programs: those that an operator names, and those of the system that read formats without a reader
// here. A program runs without a shell's interpretation, in a small environment, within limits.
// Read run-program.ts, then started-program.ts.
export { findProgram, requireProgram } from './find-program.ts';
export { plainEnvironment, runProgram } from './run-program.ts';
export { endGroup, type ProgramGroup, programGroup, StartedProgram } from './started-program.ts';
export { StreamingProgram } from './streaming-program.ts';
export { runTool, toolEnvironment } from './system-tool.ts';
