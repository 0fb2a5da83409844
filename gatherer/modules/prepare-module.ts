import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { failure } from '../../kernel/index.ts';
import { moduleErrors, thrownReason } from './errors.ts';
import { type ModuleFile, moduleDigest } from './module-digest.ts';

/** Limits of loading a module. */
export interface ModuleBounds {
  readonly seconds: number;
  /** Heap of its thread, in MiB. */
  readonly heapMiB: number;
}

/** Result of a trial load: no fault, or the kind of error. */
export type TrialAnswer =
  | { readonly kind: 'sound' }
  | { readonly kind: 'load'; readonly reason: string }
  | { readonly kind: 'export' };

/** Load a module once, in a thread, and resolve to its SHA-256 in hex. Throws MODULE_*. */
export async function prepareModule(file: ModuleFile, bounds: ModuleBounds): Promise<string> {
  const { module, path } = file;
  const digest = await moduleDigest(file);
  if (/^\.[cm]?ts$/.test(extname(path)) && !loadsTypeScript())
    throw failure(moduleErrors.MODULE_TYPESCRIPT, { module, node: process.versions.node });
  const answer = await trial(file, bounds);
  if (answer.kind === 'load') throw failure(moduleErrors.MODULE_LOAD, { module, reason: answer.reason });
  if (answer.kind === 'export') throw failure(moduleErrors.MODULE_EXPORT, { module });
  return digest;
}

/** Whether this Node loads TypeScript by itself; older ones do not know the feature's name. */
function loadsTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown };
  return typescript !== undefined && typescript !== false;
}

async function trial(file: ModuleFile, { seconds, heapMiB }: ModuleBounds): Promise<TrialAnswer> {
  const worker = new Worker(new URL('./trial-worker.js', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  });
  const wrong = (reason: string): TrialAnswer => ({ kind: 'load', reason });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TrialAnswer>((resolve) => {
      timer = setTimeout(() => resolve(wrong(`it takes longer than ${seconds} seconds`)), seconds * 1000);
      worker.on('message', resolve);
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        resolve(wrong(memory ? `it needs more than ${heapMiB} MiB of memory` : thrownReason(error)));
      });
      worker.on('exit', () => resolve(wrong('it ended its thread')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
