import type { Path, PathState, PathVerdict } from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { storeErrors } from '../errors.ts';

/** The path of an object at the source of a partition, where that is not the usual one. */
export interface KnownPath {
  readonly path: Path;
  readonly standing: PathVerdict;
  /** Of the tellings of everything the one since which it was told. */
  readonly telling: number;
}

const standings: readonly PathVerdict[] = ['taken', 'own', 'far'];
const headBytes = 7;
const serverBytes = 16;

export function encodePath({ path, standing, telling }: KnownPath): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head[0] = 1 + standings.indexOf(standing);
  head.writeUIntBE(telling, 1, 6);
  return Buffer.concat([head, ...path.map((server) => Buffer.from(server, 'base64url'))]);
}

export function decodePath(value: Uint8Array): KnownPath {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const standing = standings[(bytes[0] ?? 0) - 1];
  const servers = bytes.subarray(headBytes);
  if (standing === undefined || bytes.length < headBytes || servers.length % serverBytes !== 0)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'the path of an object' });
  return {
    standing,
    telling: bytes.readUIntBE(1, 6),
    path: Array.from({ length: servers.length / serverBytes }, (_, i) => {
      const at = i * serverBytes;
      return servers.subarray(at, at + serverBytes).toString('base64url') as ServerId;
    }),
  };
}

export function encodePathState(state: PathState): Uint8Array {
  return Buffer.from(JSON.stringify(state));
}

/** An unreadable one begins anew: paths are told again. */
export function decodePathState(value: Uint8Array): PathState {
  try {
    return JSON.parse(Buffer.from(value).toString()) as PathState;
  } catch {
    return noPaths;
  }
}

export const noPaths: PathState = { marker: undefined, own: 0, far: 0, telling: 0 };

/** How many objects are not taken, after one path took another's place. */
export function pathCount(
  state: PathState = noPaths,
  old: KnownPath | undefined,
  path: KnownPath | undefined,
): PathState {
  const change = (standing: PathVerdict) =>
    (path?.standing === standing ? 1 : 0) - (old?.standing === standing ? 1 : 0);
  return { ...state, own: state.own + change('own'), far: state.far + change('far') };
}
