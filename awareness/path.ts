import type { Oid, ServerId } from '../soif/index.ts';
import type { Handle } from './handle.ts';
import type { Marker } from './source.ts';

/** The servers through which an object has come, the last one first, its publisher last. */
export type Path = readonly ServerId[];

/** Max length of a path with which an object is taken, its publisher and its source counted. */
export const maxHops = 16;

/** Whether an object of a source is taken, or refused because it came by the client itself or from too far. */
export type PathVerdict = 'taken' | 'own' | 'far';

/** The verdict on an object with this path at its source, for the client `self`. */
export function pathVerdict(path: Path, self: ServerId): PathVerdict {
  if (path.includes(self)) return 'own';
  return path.length + 1 > maxHops ? 'far' : 'taken';
}

/** A source's statement of an object's path; the usual one is from its publisher straight to the source. */
export interface SentPath {
  readonly handle: Handle;
  readonly path: Path | 'usual';
  readonly verdict: PathVerdict;
}

/** A client's knowledge of the paths of one source's objects. */
export interface PathState {
  /** How far the paths were learned. */
  readonly marker: Marker | undefined;
  /** Objects not taken because they came by this client itself. */
  readonly own: number;
  /** Objects not taken because they came by too many servers. */
  readonly far: number;
  /** Number of full passes begun, in each of which the source sends all paths. */
  readonly pass: number;
}

/** A client's store of the paths of one source's objects. */
export interface PathBook {
  state(): Promise<PathState>;
  /** Begin a full pass: the source sends every unusual path. Paths of an earlier pass that was cut do not count. */
  begin(): Promise<void>;
  /** Learn paths in one atomic step. Resolves to how many objects are now wanted whose content is not held. */
  learn(sent: readonly SentPath[]): Promise<number>;
  /** Everything up to the marker was sent; if since `begin`, no older path counts. Resolves as `learn`. */
  finish(marker: Marker): Promise<number>;
}

/** The servers through which an object has come to the sending store. */
export interface ObjectPath {
  readonly oid: Oid;
  readonly path: Path;
  /** From its publisher straight to here. */
  readonly isUsual: boolean;
}
