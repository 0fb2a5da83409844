import { failure } from '../../kernel/index.ts';
import type { VerbArguments } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';

/** A query with the flags added as options of the query language. Throws CLI_USAGE. */
export function withOptions(query: string, args: VerbArguments): string {
  const errors = args.text('errors');
  if (errors !== undefined && !/^(?:[0-8]|best)$/.test(errors))
    throw failure(cliErrors.CLI_USAGE, {
      problem: `--errors ${errors} is not a number of errors`,
      help: 'write --errors 0 to 8, or --errors best',
    });
  const [lines, max] = [args.count('lines'), args.count('max')];
  const options = [
    args.flag('case') ? '#case' : '',
    args.flag('part') ? '#part' : '',
    errors === undefined ? '' : `#errors ${errors}`,
    lines === undefined ? '' : `#lines ${lines}`,
    max === undefined ? '' : `#max ${max}`,
  ];
  return [...options.filter((option) => option !== ''), query].join(' ');
}
