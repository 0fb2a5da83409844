import type { GroupRule } from './groups.ts';

/**
 * A way to become aware of a store's changes, as data (awareness paper, sections 5 and 6). The engine knows
 * these functions and no scheme's name.
 */
export type Scheme = VectorScheme | GroupScheme | SketchScheme;

interface Named {
  readonly name: string;
  /** One sentence for people. */
  readonly describe: string;
}

/** UNI-AWARE: the store sends one vector and the client takes the difference from its own. */
export interface VectorScheme extends Named {
  readonly refines: 'nothing';
  /**
   * Store post-selection: everything; objects with a later timestamp or sequence number than the client's marker;
   * or the newest objects, as many as the client lacks, when the client has all others.
   */
  readonly selects: 'everything' | 'later-stamps' | 'later-numbers' | 'newest';
  /** Compress: the part of an object that enters the vector. */
  readonly compresses: 'object' | 'record' | 'handle' | 'handle-stamp' | 'handle-signature' | 'short-id';
  /** How a deletion shows: by absence, by a tombstone, or when somebody finds the object missing (lazily). */
  readonly forgets: 'absence' | 'tombstone' | 'lazily';
}

/** DIST-UNI-AWARE: groups that differ are split until each difference is alone. */
export interface GroupScheme extends Named {
  readonly refines: 'groups';
  readonly order: 'handle' | 'stamp';
  /** Compress: the summary of a group. A latest timestamp does not show deletions. */
  readonly compresses: 'signatures' | 'latest-stamp';
  readonly rule: GroupRule;
}

/** DIST-UNI-AWARE with one group whose summary grows until it shows the difference. */
export interface SketchScheme extends Named {
  readonly refines: 'sketch';
}

/** The reason why a scheme cannot be used. */
export interface Refusal {
  readonly scheme: string;
  readonly reason: string;
}
