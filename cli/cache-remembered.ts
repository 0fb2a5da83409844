import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheSettings } from '../cache/index.ts';
import { replaceFile } from '../store/index.ts';
import type { EffectiveConfig } from './config.ts';
import type { SettingValue } from './settings-schema.ts';

const fileName = 'served-with.json';
const largestFile = 1e6;

/**
 * Keep what a cache is served with in its folder: who opens it later, to ask or to purge, has the same origin, and the same
 * budgets, by which nothing is thrown out.
 */
export async function rememberSettings(folder: string, config: EffectiveConfig): Promise<void> {
  const given = config.entries().filter(({ key, from }) => isOfCache(key) && from !== 'default');
  const kept = given.map(({ key, value, from }) => ({ key, value, byFlag: from.startsWith('flag ') }));
  await replaceFile(join(folder, fileName), `${JSON.stringify(kept, undefined, 2)}\n`);
}

/**
 * The settings with those that the cache in a folder was last served with: its flags count before all that stands elsewhere,
 * the rest where nothing is set now.
 */
export async function withRemembered(folder: string, config: EffectiveConfig): Promise<EffectiveConfig> {
  const values = new Map<string, SettingValue>();
  for (const { key, value, byFlag } of await read(join(folder, fileName)))
    if (byFlag === true || !config.isGiven(key)) values.set(key, value);
  return config.replacing(values, `what ${folder} was served with`);
}

const isOfCache = (key: unknown) => cacheSettings.some((setting) => setting.key === key);

interface Kept {
  readonly key: string;
  readonly value: SettingValue;
  readonly byFlag?: unknown;
}

/** Entries that cannot be used, such as those of another version, are left out. */
async function read(path: string): Promise<readonly Kept[]> {
  try {
    const text = await readFile(path, 'utf8');
    const kept: unknown = text.length > largestFile ? [] : JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isUsable) : [];
  } catch {
    return [];
  }
}

function isUsable(kept: unknown): kept is Kept {
  if (typeof kept !== 'object' || kept === null) return false;
  const { key, value } = kept as Partial<Kept>;
  const setting = cacheSettings.find((one) => one.key === key);
  if (setting === undefined || typeof value !== typeof setting.default) return false;
  if (!Array.isArray(setting.default)) return typeof value !== 'object';
  const item = setting.kind === 'records' ? 'object' : 'string';
  return Array.isArray(value) && value.every((one) => typeof one === item && one !== null);
}
