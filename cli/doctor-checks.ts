import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { sourceAddress } from '../broker/index.ts';
import { GarnerError, systemClock, systemRandom } from '../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../soif/index.ts';
import { readHolder } from '../store/index.ts';
import { connect, zlibSyncInflater } from '../wire/index.ts';
import { dataPath } from './data-option.ts';
import type { Run } from './verb.ts';
import { size } from './wording.ts';

/** What one check found; the cure is what to do about it. */
interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly cure?: string;
}

const littleSpace = 500e6;

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    ok,
    what: `Node.js ${process.versions.node}`,
    ...(ok ? {} : { cure: 'install Node.js 20.19 or later' }),
  };
}

function inflater(): Finding {
  // Both work; the difference is speed, so absence is no fault.
  return zlibSyncInflater === undefined
    ? { ok: true, what: 'zlib-sync is absent; node:zlib is used instead (slower collecting)' }
    : { ok: true, what: 'zlib-sync is installed' };
}

async function nearestFolder(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) if (await stat(at).catch(() => undefined)) return at;
}

async function dataFolder(path: string): Promise<Finding[]> {
  const folder = await nearestFolder(path);
  const found: Finding[] = [];
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  found.push({
    ok: writable,
    what: `${folder} is ${writable ? '' : 'not '}writable`,
    ...(writable ? {} : { cure: `let this user write there, or name another folder with --data` }),
  });
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  found.push({
    ok: free > littleSpace,
    what: `${size(free)} free there`,
    ...(free > littleSpace ? {} : { cure: 'make room: a full disk stops gathering and collecting' }),
  });
  return found;
}

async function holder(path: string): Promise<Finding[]> {
  const held = await readHolder(path);
  if (held === undefined) return [];
  return [
    {
      ok: true,
      what: `${path} was last held by process ${held.pid}${held.address === undefined ? '' : ` at ${held.address}`}`,
    },
  ];
}

function portFree(port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve({ ok: true, what: `port ${port} is in use (by a server of yours?)` }));
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve({ ok: true, what: `port ${port} is free` })),
    );
  });
}

async function source(text: string, token: string): Promise<Finding> {
  try {
    await using session = await connect({
      url: sourceAddress(text),
      identity: identityFrom(newIdentitySecret()),
      role: 'doctor',
      name: 'doctor',
      ...(token === '' ? {} : { token }),
      clock: systemClock,
      random: systemRandom,
    });
    return { ok: true, what: `source ${text} answers: ${session.peer.name} (${session.peer.software})` };
  } catch (error) {
    const cure = error instanceof GarnerError ? error.hint : 'check the address';
    return { ok: false, what: `source ${text}: ${(error as Error).message}`, cure };
  }
}

/** Everything `garner doctor` checks, in the order it tells it. */
export async function findings(run: Run): Promise<readonly Finding[]> {
  const config = await run.config();
  const data = run.args.required('data');
  const paths = [dataPath(run.cwd, data, 'gatherer'), dataPath(run.cwd, data, 'broker')];
  return [
    node(),
    inflater(),
    { ok: true, what: 'the configuration is valid' },
    ...(await dataFolder(paths[0] as string)),
    ...(await Promise.all(paths.map(holder))).flat(),
    ...(await Promise.all([8500, 8501].map(portFree))),
    ...(await Promise.all(
      config.list('broker.collect').map((text) => source(text, config.text('wire.token'))),
    )),
  ];
}
