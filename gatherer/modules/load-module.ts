import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { failure } from '../../kernel/index.ts';
import { moduleErrors } from './errors.ts';
import { moduleDigest } from './module-digest.ts';
import type { ModuleFile } from './module-file.ts';
import type { Summarise } from './summariser.d.ts';
import { thrownReason } from './thrown-reason.ts';

/**
 * The function of a module, loaded into this thread, which must be one that can be given up. With a digest (SHA-256 in
 * hex) the file must still be the one that had it. Throws MODULE_LOAD, MODULE_EXPORT, MODULE_ABSENT, MODULE_CHANGED.
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
