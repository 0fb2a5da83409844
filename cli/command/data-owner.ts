import { readFile, stat } from 'node:fs/promises';
import { terminalSafe } from '../text/output.ts';

/** The owner of a data folder; `name` is absent where the system has none for the number. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly name?: string | undefined;
}

/**
 * The warning of a command that root runs on a data folder of another user: what it makes there, the owner may not
 * change. Undefined for any other user and for a folder of root. `line` is the command as it is typed.
 */
export function ownerWarning(
  euid: number | undefined,
  { path, owner, line }: { readonly path: string; readonly owner: Owner; readonly line: string },
): string | undefined {
  if (euid !== 0 || owner.uid === 0) return undefined;
  const who = owner.name ?? `user ${owner.uid}`;
  const cure =
    owner.name === undefined
      ? `run this as ${who}`
      : `run this as ${who}: runuser -u ${terminalSafe(owner.name)} -- ${line} …`;
  return `warning: ${terminalSafe(path)} is owned by ${terminalSafe(who)}, and new files in it will belong to root; ${cure}`;
}

async function nameOf(uid: number): Promise<string | undefined> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return accounts
    .split('\n')
    .map((account) => account.split(':'))
    .find(([, , number]) => number === String(uid))?.[0];
}

/** The owner of an existing folder. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid, name: await nameOf(found.uid) };
}

/** The warning for an existing data folder; undefined where there is nothing to warn of. */
export async function dataOwnerWarning(path: string, line: string): Promise<string | undefined> {
  const owner = await ownerOf(path);
  return owner && ownerWarning(process.geteuid?.(), { path, owner, line });
}

/** When root runs this on a data folder of another user, act as that user from now on, so that every file stays theirs. */
export async function actAsOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const owner = await ownerOf(path);
  if (owner === undefined || owner.uid === 0) return;
  process.setgroups?.([owner.gid]);
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
}
