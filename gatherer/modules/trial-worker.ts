// Entry of a worker thread that loads one module and tells whether it can be used.
import { parentPort, workerData } from 'node:worker_threads';
import { isGarnerError } from '../../kernel/index.ts';
import { moduleErrors } from './errors.ts';
import { loadModule } from './load-module.ts';
import type { ModuleFile } from './module-file.ts';
import type { TrialAnswer } from './prepare-module.ts';
import { printToStandardError } from './standard-error.ts';
import { thrownReason } from './thrown-reason.ts';

printToStandardError();

async function answer(): Promise<TrialAnswer> {
  try {
    await loadModule(workerData as ModuleFile);
    return { kind: 'sound' };
  } catch (error) {
    if (isGarnerError(error, moduleErrors.MODULE_EXPORT)) return { kind: 'export' };
    if (isGarnerError(error, moduleErrors.MODULE_LOAD))
      return { kind: 'load', reason: (error.data as { readonly reason: string }).reason };
    return { kind: 'load', reason: thrownReason(error) };
  }
}

parentPort?.postMessage(await answer());
