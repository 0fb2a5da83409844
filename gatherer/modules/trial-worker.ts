// Entry of a worker thread that loads one module and reports whether it can be used.
import { parentPort, workerData } from 'node:worker_threads';
import { isGarnerError } from '../../kernel/index.ts';
import { moduleErrors, thrownReason } from './errors.ts';
import { loadModule, printToStandardError } from './load-module.ts';
import type { ModuleFile } from './module-digest.ts';
import type { TrialAnswer } from './prepare-module.ts';

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
