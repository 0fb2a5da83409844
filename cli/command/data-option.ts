import { join, resolve } from 'node:path';
import type { DataRole } from '../../store/index.ts';
import type { VerbOption } from './verb.ts';

export const dataOption: VerbOption = {
  kind: 'text',
  default: 'garner-data',
  describe: 'Data folder; each role has its own folder in it',
};

/** Every kind of root, as help lists them. */
export const rootWords =
  'Folder or URL: file, http, https, ftp, gopher, news, nntp, nntps, feed, git, mbox, maildir, program';

/** The folder of a role's data: `DIR/gatherer`, `DIR/broker`. */
export function dataPath(cwd: string, data: string, role: DataRole): string {
  return join(resolve(cwd, data), role);
}
