import type { Area } from './feature.ts';

export const queryReading: Area = {
  'reading.jsonl-limits': {
    feature: '`garner broker search --jsonl` takes `--limit` and `--offset`.',
    test: 'case b12: the JSON lines of a search have a limit and an offset',
  },
  'reading.option-kinds': {
    feature: 'Each verb reads each of its options as the kind that it declares.',
    test: 'every option of every verb is read as the kind that it is declared as',
  },
  'reading.no-stack': {
    feature: 'A command shows a stack only with `--verbose`.',
    test: 'mistakes of programmers show their stack with --verbose, refusals of the system their code',
  },
  'reading.hints': {
    feature:
      'The hint after a wrong command line is a line that works, with all its options and their values.',
    test: 'case b13: hints of the command line are lines that work, and help and completion take words',
  },
};
