import { openFilesCure, openFilesLimit } from '../config/out-of-files.ts';
import { type Finding, faulty, well } from './doctor-check.ts';

/** Files, connections and folders that a small server may have open: the usual limit of a shell. */
const minOpenFiles = 1024;

/** Whether a process may have enough files open; nothing where the system does not say. */
function openFiles(what: string, limit: number | undefined): readonly Finding[] {
  if (limit === undefined) return [];
  if (limit === 0) return [well(`${what} may have any number of files open`)];
  const text = `${what} may have ${limit} files open`;
  return [limit < minOpenFiles ? faulty(`${text}, fewer than ${minOpenFiles}`, openFilesCure) : well(text)];
}

/** The limit of open files of this shell. */
export const ownOpenFiles = () => openFiles('a command of this shell', openFilesLimit());

/** Those of running servers, which systemd may have set otherwise. */
export const openFilesOf = (held: readonly { readonly role: string; readonly pid: number }[]) =>
  held.flatMap(({ role, pid }) => openFiles(`the ${role} (process ${pid})`, openFilesLimit(pid)));
