// The command: verbs, settings, progress, logs and metrics; the only folder that knows every actor and puts them
// together. main.ts is where the programs begin, verbs.ts lists what they can do (one file a verb), program.ts reads
// the command line, config.ts the settings. Only tests come in through this door: nothing stands above it.
export { allSettings } from './all-settings.ts';
export { variableOf } from './config.ts';
export { checkConfig } from './config-check.ts';
export { cliErrors } from './errors.ts';
export { settingFlags } from './flags.ts';
export { commonOptions, type Program, runProgram, type World } from './program.ts';
export { type Verb, wordsOf } from './verb.ts';
export { groups, verbs } from './verbs.ts';
