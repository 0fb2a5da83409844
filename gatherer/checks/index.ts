export { judgeConfig } from './config-faults.ts';
export { type OuterTool, outerTools } from './external-programs.ts';
export { judgeMachine } from './machine-faults.ts';
