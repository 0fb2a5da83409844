import { failure, parseDuration } from '../../kernel/index.ts';
import { cliErrors } from './errors.ts';

/** An option that holds a time, in whole seconds; undefined when it was not given. Throws CLI_USAGE. */
export function givenDuration(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds !== undefined && Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw failure(cliErrors.CLI_USAGE, {
    problem: `${option} is ${JSON.stringify(text.slice(0, 40))}, which is not a time in whole seconds`,
    help: `write it with its unit, such as ${option} 5m, 2h or 30d`,
  });
}
