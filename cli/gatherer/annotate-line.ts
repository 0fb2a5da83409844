import type { AnnotationChange } from '../../gatherer/index.ts';
import { failure } from '../../kernel/index.ts';
import type { VerbArguments } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';

/** What one command line of `gatherer annotate` asks for. */
export type AnnotateWork =
  | { readonly kind: 'import'; readonly file: string }
  | { readonly kind: 'export' }
  | { readonly kind: 'delete' | 'show' | 'change'; readonly url: string };

const wrong = (problem: string, help: string) => failure(cliErrors.CLI_USAGE, { problem, help });
const help = 'garner gatherer annotate --help';

/** Throws CLI_USAGE for what does not go together. */
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
      '--author says whose words --set and --remove are, and there are none',
      'garner gatherer annotate URL --set Keywords=WORDS --author NAME',
    );
  if (file === undefined && args.text('as') !== undefined)
    throw wrong('--as says what a file of --import is', 'garner gatherer annotate --import FILE --as bibtex');
  if (file !== undefined || args.flag('export')) {
    if (url !== undefined) throw wrong(`${asked[0]} takes no URL`, help);
    return file === undefined ? { kind: 'export' } : { kind: 'import', file };
  }
  if (url === undefined)
    throw wrong('the URL of a document is missing', 'garner gatherer annotate URL --set Keywords=WORDS');
  return { kind: args.flag('delete') ? 'delete' : changes ? 'change' : 'show', url };
}

/** The change that `--set`, `--remove` and `--author` ask for. Throws CLI_USAGE. */
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
