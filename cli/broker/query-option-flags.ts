import type { VerbOption } from '../command/verb.ts';

/** The options that a query may have, as flags of a verb. */
export const queryOptionFlags: Readonly<Record<string, VerbOption>> = {
  case: { kind: 'flag', describe: 'Compare words as they are written' },
  part: { kind: 'flag', describe: 'Find words inside words too' },
  errors: { kind: 'text', describe: 'How many letters a word may differ in, 0 to 8, or best' },
  lines: { kind: 'count', describe: 'How many matching lines to show of each hit' },
  max: { kind: 'count', describe: 'No more hits than these, however far one pages' },
};
