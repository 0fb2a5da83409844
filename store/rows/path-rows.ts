import type { Path, PathState, PathVerdict } from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { storeErrors } from '../errors.ts';

/** The path of an object at the source of a partition, where that is not the usual one. */
export interface KnownPath {
  readonly path: Path;
  readonly verdict: PathVerdict;
  /** The full pass in which it was last sent. */
  readonly pass: number;
}

const verdicts: readonly PathVerdict[] = ['taken', 'own', 'far'];
const headBytes = 7;
const serverBytes = 16;

export function encodePath({ path, verdict, pass }: KnownPath): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head[0] = 1 + verdicts.indexOf(verdict);
  head.writeUIntBE(pass, 1, 6);
  return Buffer.concat([head, ...path.map((server) => Buffer.from(server, 'base64url'))]);
}

export function decodePath(value: Uint8Array): KnownPath {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const verdict = verdicts[(bytes[0] ?? 0) - 1];
  const servers = bytes.subarray(headBytes);
  if (verdict === undefined || bytes.length < headBytes || servers.length % serverBytes !== 0)
    throw failure(storeErrors.STORE_CORRUPT, { what: 'the path of an object' });
  return {
    verdict,
    pass: bytes.readUIntBE(1, 6),
    path: Array.from({ length: servers.length / serverBytes }, (_, i) => {
      const at = i * serverBytes;
      return servers.subarray(at, at + serverBytes).toString('base64url') as ServerId;
    }),
  };
}

/** As JSON; `telling` is the stored name of `pass`. */
export function encodePathState({ pass: telling, ...state }: PathState): Uint8Array {
  return Buffer.from(JSON.stringify({ ...state, telling }));
}

/** An unreadable state starts again: then all paths are sent again. */
export function decodePathState(value: Uint8Array): PathState {
  try {
    const { telling, ...state } = JSON.parse(Buffer.from(value).toString()) as Omit<PathState, 'pass'> & {
      readonly telling: number;
    };
    return { ...state, pass: telling };
  } catch {
    return noPaths;
  }
}

export const noPaths: PathState = { marker: undefined, own: 0, far: 0, pass: 0 };

/** How many objects are not taken, after one path took another's place. */
export function pathCount(
  state: PathState = noPaths,
  old: KnownPath | undefined,
  path: KnownPath | undefined,
): PathState {
  const change = (verdict: PathVerdict) =>
    (path?.verdict === verdict ? 1 : 0) - (old?.verdict === verdict ? 1 : 0);
  return { ...state, own: state.own + change('own'), far: state.far + change('far') };
}
