import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { failure } from '../../kernel/index.ts';
import { programErrors } from './errors.ts';
import { plainEnvironment } from './run-program.ts';

/**
 * Look whether a program could be started: a path is one from where the Gatherer runs, a name is looked for on PATH.
 * Throws PROGRAM_ABSENT.
 */
export async function requireProgram(command: readonly string[]): Promise<void> {
  const [program = ''] = command;
  // What a shell looks through when it is told nothing.
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = plainEnvironment();
  const places = program.includes('/') ? [program] : PATH.split(delimiter).map((path) => join(path, program));
  for (const place of places) if (await isExecutable(place)) return;
  throw failure(programErrors.PROGRAM_ABSENT, { program });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
