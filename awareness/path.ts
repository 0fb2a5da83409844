import type { Oid, ServerId } from '../soif/index.ts';
import type { Handle } from './handle.ts';
import type { Marker } from './source.ts';

/** The servers by which an object has come, the one it was at last first, its publisher last. */
export type Path = readonly ServerId[];

/** Longest path of an object that is taken, its publisher and its source counted. */
export const maxHops = 16;

/** What becomes of an object that a source offers: taken, or not, since it came by the client itself or from too far. */
export type PathVerdict = 'taken' | 'own' | 'far';

/** How an object stands whose path at its source is this, for the client `self`. */
export function standingOf(path: Path, self: ServerId): PathVerdict {
  if (path.includes(self)) return 'own';
  return path.length + 1 > maxHops ? 'far' : 'taken';
}

/** What a source tells of an object's path; the usual one is from its publisher straight to the source. */
export interface SentPath {
  readonly handle: Handle;
  readonly path: Path | 'usual';
  readonly standing: PathVerdict;
}

/** What a client knows of the paths of one source's objects. */
export interface PathState {
  /** How far they were learned. */
  readonly marker: Marker | undefined;
  /** Objects that are not taken since they came by this client itself. */
  readonly own: number;
  /** Objects that are not taken since they came by too many servers. */
  readonly far: number;
  /** How often everything began to be told. */
  readonly telling: number;
}

/** Where a client keeps by which servers the objects of one source have come. */
export interface PathBook {
  state(): Promise<PathState>;
  /** Everything that is not the usual path is told now; what a telling before told that was cut does not count. */
  begin(): Promise<void>;
  /** Learn paths in one atomic step. Resolves to how many objects are wanted now whose content is not held. */
  learn(told: readonly SentPath[]): Promise<number>;
  /**
   * What changed up to the marker was told: all of it since `begin`, if that came before, so that nothing else counts any
   * more. Resolves as `learn` does.
   */
  finish(marker: Marker): Promise<number>;
}

/** By which servers an object has come to the store that tells it. */
export interface ObjectPath {
  readonly oid: Oid;
  readonly path: Path;
  /** From its publisher straight to here. */
  readonly isUsual: boolean;
}
