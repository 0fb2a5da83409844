export { judgeConfig } from './config-faults.ts';
export { type ExternalProgram, externalPrograms } from './external-programs.ts';
export { judgeMachine } from './machine-faults.ts';
