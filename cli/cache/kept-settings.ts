import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheSettings } from '../../cache/settings.ts';
import { replaceFile } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import type { SettingValue } from '../config/settings-schema.ts';

const fileName = 'served-with.json';
const largestFile = 1e6;

/** The ports on which a cache is to serve; 0 is any. */
export type RememberedPorts = Readonly<Partial<Record<PortName, number>>>;

const portNames = ['port', 'adminPort', 'tlsPort', 'icpPort', 'htcpPort'] as const;
type PortName = (typeof portNames)[number];

/** Store the settings of a serving cache: a later command has its origin and budgets, and evicts nothing. */
export async function rememberSettings(
  folder: string,
  config: EffectiveConfig,
  ports: RememberedPorts,
): Promise<void> {
  const given = config.entries().filter(({ key, from }) => isOfCache(key) && from !== 'default');
  const settings = given.map(({ key, value, from }) => ({ key, value, byFlag: from.startsWith('flag ') }));
  await replaceFile(join(folder, fileName), `${JSON.stringify({ settings, ports }, undefined, 2)}\n`);
}

/**
 * The settings, completed from the last serving of the folder's cache: its flags override everything but the flags given
 * now; the rest apply where nothing is set now.
 */
export async function withRemembered(folder: string, config: EffectiveConfig): Promise<EffectiveConfig> {
  const values = new Map<string, SettingValue>();
  for (const { key, value, byFlag } of (await read(folder)).settings)
    if (!config.isGiven(key) || (byFlag === true && !config.origin(key).startsWith('--')))
      values.set(key, value);
  return config.replacing(values, `what ${folder} was served with`);
}

/**
 * The settings of a folder's cache. While it is served (`isServed`) they are those of its start, which only a flag given
 * now overrides; else the settings given now, completed from the last serving.
 */
export async function servedSettings(
  folder: string,
  config: EffectiveConfig,
  isServed: boolean,
): Promise<EffectiveConfig> {
  const values = new Map<string, SettingValue>();
  const { settings } = await read(folder);
  // Settings that were not set at its start have their defaults.
  if (isServed && settings.length > 0)
    for (const { key, secret, default: value } of cacheSettings)
      if (secret !== true && !config.origin(key).startsWith('--')) values.set(key, value);
  for (const { key, value } of settings)
    if (isServed ? values.has(key) : !config.isGiven(key)) values.set(key, value);
  return config.replacing(values, `what ${folder} was served with`);
}

/** The origins that the cache in a folder was last served with; undefined where none ever was. */
export async function rememberedOrigins(folder: string): Promise<readonly string[] | undefined> {
  const { settings, ports } = await read(folder);
  if (ports === undefined) return undefined;
  return (settings.find(({ key }) => key === 'cache.origin')?.value ?? []) as readonly string[];
}

/** The ports on which the cache in a folder was last served; undefined where none ever was. */
export async function rememberedPorts(folder: string): Promise<RememberedPorts | undefined> {
  const { ports } = await read(folder);
  if (typeof ports !== 'object' || ports === null) return undefined;
  const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536;
  const given = ports as Record<string, unknown>;
  return Object.fromEntries(
    portNames.flatMap((name) => (isPort(given[name]) ? [[name, Number(given[name])]] : [])),
  );
}

// A secret stays where its owner put it.
const isOfCache = (key: unknown) =>
  cacheSettings.some((setting) => setting.key === key && setting.secret !== true);

interface Kept {
  readonly key: string;
  readonly value: SettingValue;
  readonly byFlag?: unknown;
}

/** Entries that cannot be used, such as those of another version, are left out. */
async function read(
  folder: string,
): Promise<{ readonly settings: readonly Kept[]; readonly ports: unknown }> {
  try {
    const text = await readFile(join(folder, fileName), 'utf8');
    const { settings, ports } = (text.length > largestFile ? {} : JSON.parse(text)) as Record<
      string,
      unknown
    >;
    return { settings: Array.isArray(settings) ? settings.filter(isUsable) : [], ports };
  } catch {
    return { settings: [], ports: undefined };
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
