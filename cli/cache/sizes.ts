import { largestAdmitted } from '../../cache/index.ts';
import { formatSize } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';

/** A smaller size is a forgotten unit: no page of today would fit. */
const minBytes = 2 ** 20;

/** Part of the memory for contents that a fast lane may have beside it: heads, and small contents a second time. */
const readyPart = 4;

/** Bytes of ready answers that each process of a cache may have. */
export const readyBytes = (config: EffectiveConfig) => config.bytes('cache.memory') / readyPart;

/** The budgets of a cache, in bytes. */
export interface CacheSizes {
  readonly memoryBytes: number;
  /** 0 for memory alone. */
  readonly diskBytes: number;
  readonly largestEntryBytes: number;
}

/** The budgets that the settings give. Throws CLI_BAD_SETTING for one that holds nothing. */
export function cacheSizes(config: EffectiveConfig): CacheSizes {
  const [memoryBytes, diskBytes] = [config.bytes('cache.memory'), config.bytes('cache.disk')];
  const budget = diskBytes === 0 ? memoryBytes : diskBytes;
  if (diskBytes > 0 && diskBytes < minBytes)
    throw tooSmall(config, 'cache.disk', '10GiB, or 0 for memory only');
  if (memoryBytes < minBytes && (memoryBytes > 0 || diskBytes === 0))
    throw tooSmall(config, 'cache.memory', '256MiB');
  return {
    memoryBytes,
    diskBytes,
    largestEntryBytes: config.bytes('cache.largest') || largestAdmitted(budget),
  };
}

function tooSmall(config: EffectiveConfig, key: string, such: string): Error {
  const [given, min] = [formatSize(config.bytes(key)), formatSize(minBytes)];
  const problem = `is ${given}, which is too small for a cache: the minimum is ${min}`;
  return badSetting(config, key, problem, `write a size with its unit, such as ${such}`);
}
