import { readFileSync } from 'node:fs';
import { defineErrors, failure, type GarnerError, isGarnerError, isOutOfFiles } from '../../kernel/errors.ts';

// Loaded before everything else, and loads next to nothing: it reports that the rest could not be loaded.

/** With fewer descriptors a module may be missing only because its package could not be read. */
const maxScarceFiles = 512;

/** The number of files that a process may have open, where the system says so (/proc); 0 is no limit. */
export function openFilesLimit(process: number | 'self' = 'self'): number | undefined {
  try {
    const limits = readFileSync(`/proc/${process}/limits`, 'latin1');
    const [, limit = ''] = /^Max open files +(\S+)/m.exec(limits) ?? [];
    return limit === 'unlimited' ? 0 : limit === '' ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Read at once: later there may be no descriptor to read it with. */
const ownLimit = openFilesLimit();

export const openFilesCure =
  'raise the limit: ulimit -n 4096 in the shell, LimitNOFILE=4096 in the unit of systemd; garner doctor checks it';

export const systemErrors = defineErrors({
  CLI_OUT_OF_FILES: {
    message: ({ limit, reason }: { limit: number | undefined; reason: string }) =>
      `too many files are open${limit ? ` (this process may open ${limit})` : ''}: ${reason}`,
    hint: () => openFilesCure,
    exit: 1,
    retry: 'later',
    status: 503,
  },
});

/** Whether a module could not be loaded: Node.js reports a package that it could not read as missing. */
function isLoadingFault(error: Error): boolean {
  if (error instanceof SyntaxError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && /MODULE_NOT_FOUND$|^ERR_DLOPEN_FAILED$|^ERR_WORKER_/.test(code);
}

/** CLI_OUT_OF_FILES for an error that comes of a lack of descriptors; undefined for others. */
export function outOfFiles(error: unknown): GarnerError | undefined {
  const isScarce = ownLimit !== undefined && ownLimit > 0 && ownLimit < maxScarceFiles;
  if (isGarnerError(error, systemErrors.CLI_OUT_OF_FILES)) return error;
  if (!(error instanceof Error) || !(isOutOfFiles(error) || (isScarce && isLoadingFault(error))))
    return undefined;
  const reason = error.message.replace(/^E[MN]FILE: too many open files, /, '');
  return failure(systemErrors.CLI_OUT_OF_FILES, { limit: ownLimit, reason }, error);
}

/** Throw CLI_OUT_OF_FILES for such an error. */
export function throwOutOfFiles(error: unknown): void {
  const fault = outOfFiles(error);
  if (fault !== undefined) throw fault;
}
