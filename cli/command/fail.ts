import { failure, GarnerError, isGarnerError } from '../../kernel/index.ts';
import { cliErrors, type MistakesData } from '../config/errors.ts';
import { outOfFiles } from '../config/out-of-files.ts';
import { type Output, terminalSafe, terminalSafeJson } from '../text/output.ts';
import { type Spell, spelledOut } from './spelling.ts';

const codeColumn = 56;

export interface FailOptions {
  readonly verbose?: boolean;
  readonly spell?: Spell;
  /** The place in the configuration that an error is about, if there is one. */
  readonly configured?: (error: GarnerError) => string | undefined;
}

/**
 * Print the error that ended a command, and return its exit code. A GarnerError takes at most four lines: message,
 * place, hint, and with `verbose` the chain of causes. With `--json` it is one JSON value on stderr. A refusal of the
 * system (ENOSPC and the like) is printed with its code; anything else is a programmer's mistake, whose stack is shown
 * with `verbose`. Commands in a hint are printed as `spell` types them.
 */
export function fail(thrown: unknown, output: Output, options: FailOptions = {}): number {
  if (isAbort(thrown)) return fail(failure(cliErrors.CLI_INTERRUPTED, {}, thrown), output, options);
  const error = outOfFiles(thrown) ?? thrown;
  output.status('');
  const { code, message, hint: plainHint, exit } = partsOf(error);
  const hint = options.spell === undefined ? plainHint : spelledOut(plainHint, options.spell);
  const isExpected = isGarnerError(error) || code !== 'PROGRAMMER';
  const place = isGarnerError(error) ? (options.configured?.(error) ?? placeOf(error)) : undefined;
  const causes = options.verbose ? causesOf(error) : [];
  if (output.json) {
    const described = {
      ...{ code, message, hint, exit, ...(place !== undefined && { at: place }) },
      ...(isGarnerError(error, cliErrors.CLI_MISTAKES) && {
        mistakes: (error.data as MistakesData).mistakes,
      }),
    };
    const stack = isExpected || !options.verbose || !(error instanceof Error) ? undefined : error.stack;
    output.error(
      terminalSafeJson({
        error: { ...described, ...(causes.length > 0 && { causes }), ...(stack && { stack }) },
      }),
    );
    return exit;
  }
  if (!isExpected && options.verbose) {
    const stack = error instanceof Error ? (error.stack ?? String(error)) : `thrown: ${String(error)}`;
    output.error(stack.split('\n').map(terminalSafe).join('\n'));
    for (const cause of causes) output.error(`  cause ${cause}`);
    return exit;
  }
  if (isGarnerError(error, cliErrors.CLI_MISTAKES)) {
    const { mistakes, more } = error.data as MistakesData;
    for (const mistake of mistakes) printError(mistake, output, options);
    if (more > 0) output.error(`and ${more} more mistakes in the configuration`);
  } else printError({ code, message, hint: plainHint, at: place }, output, options);
  for (const cause of causes) output.error(`  cause ${terminalSafe(cause)}`);
  return exit;
}

/** Message, place and hint, on a line each. */
function printError(
  { code, message, hint: plain, at }: MistakesData['mistakes'][number],
  output: Output,
  { spell }: FailOptions,
): void {
  const hint = spell === undefined ? plain : spelledOut(plain, spell);
  const label = output.style('red', 'error:', 'err');
  // A list of roots has a line for each; elsewhere a line break may be a server's.
  const [what = '', ...list] = code === 'GATHERER_ROOTS' ? message.split('\n') : [message];
  const shown = terminalSafe(what);
  output.error(`${label} ${shown.padEnd(codeColumn - 'error: '.length)} [${code}]`);
  for (const line of list) output.error(`  ${terminalSafe(line)}`);
  if (at !== undefined && !message.includes(at)) output.error(`  at    ${terminalSafe(at)}`);
  if (hint !== '') output.error(`  try   ${terminalSafe(hint)}`);
}

function partsOf(error: unknown): { code: string; message: string; hint: string; exit: number } {
  if (error instanceof GarnerError) {
    const { code, message, hint, exit } = error;
    return { code, message, hint, exit };
  }
  // A refusal of the operating system carries the name of the call.
  if (error instanceof Error && 'syscall' in error && 'code' in error)
    return {
      code: String(error.code),
      message: error.message,
      hint: 'run the same command with --verbose to see the causes',
      exit: 1,
    };
  return {
    code: 'PROGRAMMER',
    message: `a mistake in Garner: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'run the same command with --verbose, and report what it prints',
    exit: 1,
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function placeOf(error: GarnerError): string | undefined {
  const data = (error.data ?? {}) as Record<string, unknown>;
  for (const name of ['at', 'path', 'file', 'url', 'address', 'peer']) {
    const value = data[name];
    if (typeof value !== 'string' || value === '') continue;
    const line = typeof data.line === 'number' && name !== 'at' ? `:${data.line}` : '';
    return `${value}${line}`;
  }
  return undefined;
}

function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  // Bounded: a chain may close on itself.
  while (cause !== undefined && causes.length < 10) {
    causes.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
