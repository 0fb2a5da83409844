// Checks before a run: the configuration (config-faults.ts) and this machine (machine-faults.ts, external-programs.ts).
// Read config-faults.ts first.
export { judgeConfig } from './config-faults.ts';
export { type ExternalProgram, externalPrograms } from './external-programs.ts';
export { judgeMachine } from './machine-faults.ts';
