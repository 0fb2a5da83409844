import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GarnerError } from '../../kernel/index.ts';
import { type ConfigRecord, readRules, readSummarisers } from '../customise/index.ts';
import { localPath, parseRootNode, type RootNode } from '../enumerate/index.ts';
import { moduleDigest } from '../modules/index.ts';
import { commandsOf } from '../pipeline/index.ts';
import { requireProgram } from '../programs/index.ts';
import type { CheckedSettings, ConfigJudge } from './config-faults.ts';

/**
 * Check that the programs, modules and roots in a Gatherer's settings exist on this machine. A missing program or
 * module is a fault, because a run refuses it; a missing root is a doubt, because it may appear later. Nothing is
 * started or loaded. Faults that judgeConfig reports are not reported again.
 */
export async function judgeMachine(
  settings: CheckedSettings,
  judge: Pick<ConfigJudge, 'fault' | 'doubt'>,
): Promise<void> {
  const { folder } = settings;
  for (const { entry, key } of entries(settings, 'gatherer.summarisers', (record, at) =>
    readSummarisers([record], folder, at),
  )) {
    await attempt(key, judge, commandsOf(entry.programs, []), requireProgram);
    await attempt(key, judge, entry.modules, moduleDigest);
  }
  for (const { entry, key } of entries(settings, 'gatherer.rules', (record, at) => readRules([record], at)))
    await attempt(key, judge, commandsOf([], entry), requireProgram);
  for (const { entry, key } of entries(settings, 'gatherer.roots', (record, at) =>
    placed(parseRootNode(record, `gatherer.roots[${at}]`)),
  )) {
    const lack = await lackOf(entry.root, entry.path);
    if (lack !== undefined)
      judge.doubt(key, `${key}: ${lack}; nothing is gathered from there until it is available`);
  }
}

function placed(root: RootNode): { readonly root: RootNode; readonly path: string } {
  return { root, path: localPath(root) };
}

/** The valid entries of a setting; judgeConfig reports the others. */
function entries<Value>(
  settings: CheckedSettings,
  setting: string,
  read: (record: ConfigRecord, at: number) => Value,
): readonly { readonly entry: Value; readonly key: string }[] {
  return settings.records(setting).flatMap((record, at) => {
    try {
      return [{ entry: read(record, at), key: `${setting}[${at}]` }];
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      return [];
    }
  });
}

async function attempt<Thing>(
  key: string,
  judge: Pick<ConfigJudge, 'fault'>,
  things: readonly Thing[],
  look: (thing: Thing) => Promise<unknown>,
): Promise<void> {
  for (const thing of things)
    try {
      await look(thing);
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      judge.fault(key, error);
    }
}

/** The reason why a root on this machine cannot be read now, as a clause; undefined when it can. */
async function lackOf({ kind, enumeration }: RootNode, path: string): Promise<string | undefined> {
  const program = enumeration ?? (kind === 'program' ? [path] : undefined);
  if (program !== undefined)
    return requireProgram(program).then(
      () => undefined,
      () => `the program ${program[0]} cannot be started`,
    );
  if (path === '') return undefined;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? '');
  if (found === 'ENOENT' || found === 'ENOTDIR') return `${path} is not there`;
  if (typeof found === 'string') return `${path} cannot be examined (${found})`;
  if (kind === 'folder' || kind === 'maildir')
    return found.isDirectory() ? undefined : `${path} is no folder`;
  if (kind === 'git') return (await isInRepository(path)) ? undefined : `${path} is no git repository`;
  return undefined;
}

/** Whether git would find a repository: here or in a folder above. */
async function isInRepository(path: string): Promise<boolean> {
  const exists = async (name: string) => (await stat(name).catch(() => undefined)) !== undefined;
  for (let at = path; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return true;
    if ((await exists(join(at, 'HEAD'))) && (await exists(join(at, 'objects')))) return true;
    if (dirname(at) === at) return false;
  }
}
