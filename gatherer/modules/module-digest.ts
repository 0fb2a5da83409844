import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { failure } from '../../kernel/index.ts';
import { moduleErrors } from './errors.ts';

/** A module file: its name in the configuration, and its path. */
export interface ModuleFile {
  readonly module: string;
  /** Absolute. */
  readonly path: string;
}

const maxBytes = 64 * 1024 * 1024;

/** SHA-256 of a module file in hex. Throws MODULE_ABSENT. */
export async function moduleDigest({ module, path }: ModuleFile): Promise<string> {
  const absent = (reason: string, cause?: unknown) =>
    failure(moduleErrors.MODULE_ABSENT, { module, reason }, cause);
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw absent('it is no file');
    if (stats.size > maxBytes) throw absent(`it is larger than ${maxBytes} bytes`);
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
    const missing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw absent(missing ? 'there is no such file' : `the system says ${error.code}`, error);
  }
}
