import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { failure } from '../../kernel/index.ts';
import { moduleErrors, thrownReason } from './errors.ts';
import { type ModuleFile, moduleDigest } from './module-digest.ts';
import type { Summarise } from './summariser.d.ts';

/**
 * The function of a module, loaded into this thread, which must be a worker thread, because it may have to be ended.
 * With a digest (SHA-256 in hex) the file must still have that digest. Throws MODULE_LOAD, MODULE_EXPORT,
 * MODULE_ABSENT, MODULE_CHANGED.
 */
export async function loadModule(file: ModuleFile, digest?: string): Promise<Summarise> {
  if (isMainThread) throw new TypeError('a module is loaded in worker threads only');
  const { module, path } = file;
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw failure(moduleErrors.MODULE_LOAD, { module, reason: thrownReason(error) });
  }
  if (digest !== undefined && (await moduleDigest(file)) !== digest)
    throw failure(moduleErrors.MODULE_CHANGED, { module });
  const { summarise } = loaded;
  if (typeof summarise !== 'function') throw failure(moduleErrors.MODULE_EXPORT, { module });
  return summarise as Summarise;
}

/** Send everything that this thread prints to standard error: standard output is for the command's answer. */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}
