import { join, resolve } from 'node:path';
import { httpErrors } from '../../http/errors.ts';
import { failure, isGarnerError } from '../../kernel/index.ts';
import type { DataRole } from '../../store/index.ts';
import type { VerbOption } from './verb.ts';

/** Open a listener on the port of an option other than `--port`: errors about the port name that option. */
export async function onPortOf<Opened>(option: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    for (const kind of [httpErrors.HTTP_PORT_IN_USE, httpErrors.HTTP_PORT_DENIED])
      if (isGarnerError(error, kind))
        throw failure(kind, { ...(error.data as { address: string; port: number }), option }, error.cause);
    throw error;
  }
}

export const dataOption = {
  kind: 'text',
  default: 'garner-data',
  describe: 'Data folder; each role has its own folder in it',
} as const satisfies VerbOption;

export const registryOption: VerbOption = {
  kind: 'list',
  describe:
    'Address of a Registry; the nearest of several is asked, and the one that serves the data folder when absent',
};

/** Every kind of root, as help lists them. */
export const rootWords =
  'Folder or URL: file, http, https, ftp, gopher, news, nntp, nntps, feed, git, mbox, maildir, program';

/** The folder of a role's data: `DIR/gatherer`, `DIR/broker`. */
export function dataPath(cwd: string, data: string, role: DataRole): string {
  return join(resolve(cwd, data), role);
}
