import type { Setting } from '../../kernel/index.ts';

/** Limits of all wrappers inside one document. Sizes are in bytes. */
export interface UnnestLimits {
  /** Wrappers around a member; the document itself is the first. */
  readonly maxDepth: number;
  /** Members of all wrappers together, including refused ones. */
  readonly maxMembers: number;
  readonly maxMemberBytes: number;
  /** All unpacked bytes, at every depth, including refused documents. */
  readonly maxTotalBytes: number;
  /** Unpacked bytes to the bytes of the document, beyond `freeBytes`. */
  readonly maxRatio: number;
  /** Bytes that every document may unpack to, however small it is. */
  readonly freeBytes: number;
  /** Members in memory while their own members are read. */
  readonly maxHeldBytes: number;
  /** Window of a decoder (xz, lzip, zstd). */
  readonly maxWindowBytes: number;
  /** Seconds of a helping program such as bsdtar. */
  readonly toolSeconds: number;
}

const mebibyte = 1024 * 1024;

export const defaultUnnestLimits: UnnestLimits = {
  maxDepth: 16,
  maxMembers: 100_000,
  maxMemberBytes: 64 * mebibyte,
  maxTotalBytes: 1024 * mebibyte,
  maxRatio: 200,
  freeBytes: 16 * mebibyte,
  maxHeldBytes: 256 * mebibyte,
  maxWindowBytes: 128 * mebibyte,
  toolSeconds: 60,
};

/** Settings of documents inside documents. */
export const unnestSettings: readonly Setting[] = [
  {
    key: 'gatherer.unnest-max-depth',
    kind: 'count',
    default: defaultUnnestLimits.maxDepth,
    min: 0,
    describe: 'Max depth of wrappers inside wrappers (an archive in a compressed archive); 0 opens none',
  },
  {
    key: 'gatherer.unnest-max-members',
    kind: 'count',
    default: defaultUnnestLimits.maxMembers,
    min: 1,
    describe: 'Max documents taken out of one document, at all depths together',
  },
  {
    key: 'gatherer.unnest-max-member-bytes',
    kind: 'size',
    default: defaultUnnestLimits.maxMemberBytes,
    describe: 'Max bytes of one document taken out of another',
  },
  {
    key: 'gatherer.unnest-max-bytes',
    kind: 'size',
    default: defaultUnnestLimits.maxTotalBytes,
    describe: 'Max unpacked bytes of one document, at all depths together',
  },
  {
    key: 'gatherer.unnest-max-ratio',
    kind: 'count',
    default: defaultUnnestLimits.maxRatio,
    min: 1,
    describe: 'Max unpacked bytes per byte of the document, not counting the first 16 MiB',
  },
];

/** The limits in the settings. */
export function unnestLimits(settings: Readonly<Record<string, unknown>>): Partial<UnnestLimits> {
  const count = (key: string) => {
    const value = settings[key];
    return typeof value === 'number' ? value : undefined;
  };
  const limits = {
    maxDepth: count('gatherer.unnest-max-depth'),
    maxMembers: count('gatherer.unnest-max-members'),
    maxMemberBytes: count('gatherer.unnest-max-member-bytes'),
    maxTotalBytes: count('gatherer.unnest-max-bytes'),
    maxRatio: count('gatherer.unnest-max-ratio'),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
