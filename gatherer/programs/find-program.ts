import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { failure } from '../../kernel/index.ts';
import { programErrors } from './errors.ts';

// A shell looks here when PATH is not set.
const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/**
 * The absolute file name of a program that can be started, or undefined. A `name` with a slash is a file name, relative
 * to the working directory; any other name is looked up in the folders of `path`, a list as in PATH. An empty `path`
 * finds nothing.
 */
export function findProgram(name: string, path = process.env.PATH || defaultPath): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const files = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  return files.map((file) => resolve(file)).find(isProgram);
}

/** Check that the program of a command can be started. Rejects with PROGRAM_ABSENT. */
export async function requireProgram([program = '']: readonly string[]): Promise<void> {
  if (findProgram(program) === undefined) throw failure(programErrors.PROGRAM_ABSENT, { program });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
