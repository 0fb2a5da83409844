import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { indexName, type SourceAddress, sourceAddress, sourceFrom } from '../../broker/index.ts';
import { type ExternalProgram, externalPrograms } from '../../gatherer/index.ts';
import { GarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import {
  dataRoles,
  type Holder,
  nameOfRole,
  objectStoreModel,
  readHolder,
  serverRoles,
} from '../../store/index.ts';
import { connect, zlibSyncInflater } from '../../wire/index.ts';
import { dataPath } from '../command/common-options.ts';
import type { Run } from '../command/verb.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { Mistakes } from '../config/config-errors.ts';
import { defaultPorts } from '../config/ports.ts';
import { pushAddresses } from '../config/server-addresses.ts';
import { sourceAccess } from '../config/source-access.ts';
import { size } from '../text/number-formats.ts';
import { cacheFindings } from './cache.ts';
import { certificateFindings } from './certificates.ts';
import { checkMachine } from './config-check.ts';
import { type Finding, faulty, noted, well } from './doctor-check.ts';
import { openFilesOf } from './open-files.ts';
import { portProblem } from './ports.ts';
import { pushedFindings, pushFindings } from './push-findings.ts';
import { schemeLines } from './schemes.ts';
import { storeFindings } from './stores.ts';

const littleSpace = 500e6;

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const what = `Node.js ${process.versions.node}`;
  return ok ? well(what) : faulty(what, 'install Node.js 20.19 or later');
}

function inflater(): Finding {
  // Both work at different speeds, so absence is no fault.
  return zlibSyncInflater === undefined
    ? noted('zlib-sync is not installed: collecting is a little slower without it')
    : well('zlib-sync is installed: it makes collecting faster');
}

function outerTool({ name, packageName, gives, without, present }: ExternalProgram): Finding {
  // Documents are gathered without them too, some less well, so absence is no fault.
  return present
    ? well(`${name} is installed: it ${gives}`)
    : noted(`${name} is not installed: ${without}`, `apt-get install ${packageName}`);
}

async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) if (await stat(at).catch(() => undefined)) return at;
}

async function dataFolder(path: string): Promise<Finding[]> {
  const existing = await nearestExisting(path);
  const cure = 'let this user write there, or give another folder with --data';
  if (!(await stat(existing)).isDirectory())
    return [faulty(`data cannot be stored in ${path}: ${existing} is a file`, cure)];
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  return [
    existing === path
      ? { ok: writable, what: `the data folder ${path} can ${writable ? '' : 'not '}be written` }
      : { ok: writable, what: `the data folder ${path} can ${writable ? '' : 'not '}be made in ${existing}` },
    { ok: free > littleSpace, what: `${size(free)} of disk are free there` },
  ].map((one, at) => ({
    ...one,
    ...(one.ok
      ? {}
      : { cure: at === 0 ? cure : 'free disk space: a full disk stops gathering and collecting' }),
  }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function holding(path: string, held: Holder): Finding {
  const where = held.address === undefined ? '' : `, which answers at ${held.address}`;
  return isRunning(held.pid)
    ? well(`a ${held.role} runs on ${path}: process ${held.pid}${where}`)
    : well(`the last ${held.role} on ${path} did not close its data; the next one recovers it`);
}

async function port(number: number, verbs: string, holders: readonly Holder[]): Promise<Finding> {
  const own = holders.find(({ address }) => address !== undefined && new URL(address).port === `${number}`);
  if (own !== undefined) return well(`port ${number} is in use by the ${own.role} of this data folder`);
  return (await portProblem(number, { host: '127.0.0.1' })) === undefined
    ? well(`port ${number} is free for ${verbs}`)
    : noted(
        `port ${number} is in use by another program`,
        `give ${verbs} another port, such as --port ${number + 100}`,
      );
}

async function server(
  what: string,
  text: string,
  { token = '', authority }: Pick<SourceAddress, 'token' | 'authority'>,
): Promise<Finding> {
  try {
    await using session = await connect({
      url: sourceAddress(text),
      ...(authority === undefined ? {} : { tls: { ca: authority } }),
      identity: identityFrom(newIdentitySecret()),
      role: 'doctor',
      name: 'doctor',
      ...(token === '' ? {} : { token }),
      clock: systemClock,
      random: systemRandom,
    });
    return well(`${what} ${text} answers: ${session.peer.name} (${session.peer.software})`);
  } catch (error) {
    const cure =
      error instanceof GarnerError ? error.hint : 'check that the server runs and that its address is right';
    return faulty(`${what} ${text} does not answer: ${(error as Error).message}`, cure);
  }
}

/** The schemes by which the existing stores can be collected. */
async function stores(data: string): Promise<readonly Finding[]> {
  const found = await Promise.all(
    serverRoles.map(async (role) => {
      const folder = await stat(join(data, role, 'store')).catch(() => undefined);
      return folder?.isDirectory() ? [`the ${nameOfRole(role)}`] : [];
    }),
  );
  return schemeLines(found.flat(), objectStoreModel).map((what) => ({ ok: true, what }));
}

/** Whether the programs, modules, roots and variables of the configuration are on this machine. */
async function configuration(run: Run, config: EffectiveConfig): Promise<Finding[]> {
  const mistakes = new Mistakes();
  await checkMachine(config, mistakes, process.env);
  const absent = [
    ...mistakes.found.map(({ error, at }) => ({
      what: `${error.message}${at === undefined ? '' : ` (${at})`}`,
      cure: error.hint,
    })),
    ...mistakes.warnings.map(({ text, at }) => ({
      what: `${text} (${at})`,
      cure: 'provide it for the user of the Gatherer, or remove it from the configuration',
    })),
  ].map((one) => ({ ok: false, ...one }));
  if (absent.length > 0) return absent;
  if (config.file !== undefined)
    return [well(run.typed('the configuration is valid (garner config shows it)'))];
  const isGiven = config.entries().some(({ key }) => config.isGiven(key));
  return [well(`no garner.yaml here: ${isGiven ? 'the options and variables given, and ' : ''}the defaults`)];
}

/** The checks of `garner doctor`, in the order of its report. */
export async function findings(run: Run): Promise<readonly Finding[]> {
  const config = await run.config();
  const data = run.args.required('data');
  const known = await Promise.all(
    dataRoles.map(async (role) => {
      const path = dataPath(run.cwd, data, role);
      return { role, path, held: await readHolder(path) };
    }),
  );
  const holders = known.flatMap(({ path, held }) => (held === undefined ? [] : [{ path, held }]));
  const held = holders.map((one) => one.held).filter(({ pid }) => isRunning(pid));
  const runs = (wanted: Holder['role']) => held.find(({ role }) => role === wanted);
  const [sources, token] = [config.list('broker.collect'), config.text('wire.token')];
  const access = sourceAccess(config);
  const dialled = sources.filter((text) => sourceFrom(text).pusher === undefined);
  return [
    node(),
    inflater(),
    ...externalPrograms().map(outerTool),
    ...(await configuration(run, config)),
    ...(await dataFolder(resolve(run.cwd, data))),
    ...holders.map((one) => holding(one.path, one.held)),
    ...openFilesOf(held),
    ...certificateFindings(held),
    ...(await stores(resolve(run.cwd, data))),
    ...(await storeFindings(
      known.map((one) => ({ ...one, held: one.held && isRunning(one.held.pid) ? one.held : undefined })),
      { engine: indexName(config.text('broker.engine')), signal: run.signal },
    )),
    await port(defaultPorts.gatherer, 'gatherer serve', held),
    await port(defaultPorts.broker, 'up and broker serve', held),
    ...(await cacheFindings(config, dataPath(run.cwd, data, 'cache'), runs('cache'))),
    ...(await Promise.all(
      dialled.map((text) => server('source', text, { token, ...access.get(sourceAddress(text)) })),
    )),
    ...(await pushedFindings(sources, runs('broker'))),
    ...(await pushFindings(pushAddresses(config), runs('gatherer'), (url) =>
      server('the Broker to push to', url, { token }),
    )),
  ];
}
