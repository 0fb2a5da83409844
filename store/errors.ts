import { defineErrors } from '../kernel/index.ts';

interface Locked {
  readonly path: string;
  readonly pid: number | undefined;
  readonly role: string | undefined;
  /** The address of the holder's control door, when it has one. */
  readonly address?: string | undefined;
}

export const storeErrors = defineErrors({
  STORE_LOCKED: {
    message: ({ path, pid, role, address }: Locked) =>
      `store ${path} is in use${pid === undefined ? '' : ` by process ${pid}`}${
        role === undefined ? '' : ` (${role}${address === undefined ? '' : ` at ${address}`})`
      }`,
    hint: () => 'use the running server, stop that process, or name another folder, as in --data other-data',
    exit: 11,
    retry: 'later',
    status: 503,
  },
  STORE_MISSING: {
    message: ({ path }: { path: string; cure?: string }) => `there is no store in ${path}`,
    hint: ({ cure }: { path: string; cure?: string }) =>
      cure ?? 'gather, collect or cache something into it first, or name the right folder with --data',
    advice: 'gather, collect or cache something into it first, or name the right folder with --data',
    exit: 10,
    retry: 'never',
    status: 404,
  },
  STORE_UNREADABLE: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `store ${path} cannot be opened: ${reason}`,
    hint: () => 'check permissions, free space and the disk, or name another folder with --data',
    exit: 1,
    retry: 'never',
  },
  STORE_DAMAGED: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `files of ${path} are damaged: ${reason}`,
    hint: () =>
      'check the disk; stop the server, then garner gatherer check --repair or garner broker check --repair: identity, annotations, keys and everything else that can be read stay',
    exit: 1,
    retry: 'never',
    status: 503,
  },
  STORE_FULL: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `there is no room for ${path}: ${reason}`,
    hint: () => 'make room on that disk; written data stays, and the work continues from there',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  STORE_REFUSED: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the system refuses to read or write ${path}: ${reason}`,
    hint: () => 'check permissions, open files (ulimit -n) and the disk, then start again',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  STORE_FORMAT: {
    message: ({ path, found, wanted }: { path: string; found: string; wanted: string }) =>
      `store ${path} has format ${found}, this version reads ${wanted}`,
    hint: () => 'use the version that wrote it, or name another folder with --data',
    exit: 1,
    retry: 'never',
  },
  STORE_CORRUPT: {
    message: ({ what }: { what: string }) => `the store holds invalid data: ${what}`,
    hint: () =>
      'check the disk; stop the server, then garner gatherer check --repair or garner broker check --repair',
    exit: 1,
    retry: 'never',
  },
  STORE_ROLE: {
    message: ({ path, found, wanted }: { path: string; found: string; wanted: string }) =>
      `${path} is the data folder of a ${found}, not of a ${wanted}`,
    hint: () => 'name another folder with --data: each server has its own',
    exit: 2,
    retry: 'never',
  },
  STORE_NO_OLD_KEY: {
    message: ({ path }: { path: string }) => `the server of ${path} has no older key that is still valid`,
    hint: () => 'to revoke the present key, make a new one first: garner registry key rotate',
    exit: 2,
    retry: 'never',
  },
  STORE_COPIES: {
    message: ({ path }: { path: string }) => `${path} and its second copy ${path}.copy are damaged`,
    hint: () => 'restore one of them from a backup; nothing was changed',
    exit: 1,
    retry: 'never',
  },
  STORE_IDENTITY: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `identity file ${path} cannot be used: ${reason}`,
    hint: () => 'restore it from a backup; with a new identity every object is a new object for all clients',
    exit: 1,
    retry: 'never',
  },
});
