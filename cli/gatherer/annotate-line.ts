import type { AnnotationChange } from '../../gatherer/index.ts';
import { failure } from '../../kernel/index.ts';
import type { VerbArguments } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';

/** The work that one command line of `gatherer annotate` requests. */
export type AnnotateWork =
  | { readonly kind: 'import'; readonly file: string }
  | { readonly kind: 'export' }
  | { readonly kind: 'delete' | 'show' | 'change'; readonly url: string };

const wrong = (problem: string, help: string) => failure(cliErrors.CLI_USAGE, { problem, help });
const help = 'garner gatherer annotate --help';

/** Read the command line. Throws CLI_USAGE for options that do not go together. */
export function annotateWork(args: VerbArguments): AnnotateWork {
  const [url, file] = [args.text('url'), args.text('import')];
  const changes = args.list('set').length + args.list('remove').length > 0;
  const asked = [
    ...(file === undefined ? [] : ['--import']),
    ...(args.flag('export') ? ['--export'] : []),
    ...(args.flag('delete') ? ['--delete'] : []),
    ...(changes ? ['--set and --remove'] : []),
  ];
  if (asked.length > 1) throw wrong(`${asked.join(' and ')} do not go together`, help);
  if (!changes && args.text('author') !== undefined)
    throw wrong(
      '--author needs --set or --remove',
      'garner gatherer annotate URL --set Keywords=WORDS --author NAME',
    );
  if (file === undefined && args.text('as') !== undefined)
    throw wrong('--as needs --import', 'garner gatherer annotate --import FILE --as bibtex');
  if (file !== undefined || args.flag('export')) {
    if (url !== undefined) throw wrong(`${asked[0]} takes no URL`, help);
    return file === undefined ? { kind: 'export' } : { kind: 'import', file };
  }
  if (url === undefined)
    throw wrong('the URL of a document is missing', 'garner gatherer annotate URL --set Keywords=WORDS');
  return { kind: args.flag('delete') ? 'delete' : changes ? 'change' : 'show', url };
}

/** The change in `--set`, `--remove` and `--author`. Throws CLI_USAGE. */
export function changeOf(args: VerbArguments): AnnotationChange {
  const set = args.list('set').map((given) => {
    const at = given.indexOf('=');
    if (at < 1)
      throw wrong(
        `--set takes Name=Value, not ${JSON.stringify(given.slice(0, 80))}`,
        '--set Title="A title"',
      );
    return [given.slice(0, at).trim(), given.slice(at + 1)] as const;
  });
  const author = args.text('author');
  return { set, remove: args.list('remove'), ...(author === undefined ? {} : { author }) };
}
