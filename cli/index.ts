// The command garner: its verbs and settings, from the words of a command line to the text and the exit code.
// Read command/program.ts, then verbs/verbs.ts.

export { programVerbs } from './command/completions.ts';
export { settingFlags } from './command/flags.ts';
export { commonOptions, type Program, runProgram, type World } from './command/program.ts';
export { type Verb, VerbArguments, wordsOf } from './command/verb.ts';
export { allSettings } from './config/all-settings.ts';
export { variableOf } from './config/config.ts';
export { cliErrors } from './config/errors.ts';
export { checkConfig } from './doctor/config-check.ts';
export { groups } from './verbs/groups.ts';
export { verbs } from './verbs/verbs.ts';
