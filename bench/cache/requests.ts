import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../kernel/index.ts';
import { packageFolder } from '../harness/machine.ts';

/** The requests to a cache, in order. */
export interface Requests {
  /** The object number of each request, from 0 without gaps. */
  readonly objects: Uint32Array;
  /** Number of distinct objects. */
  readonly count: number;
  /** Bytes of each object; absent where all objects count the same. */
  readonly bytes?: Float64Array;
}

const maxBytes = 2 ** 28;

/** A recorded trace, or the reason why it cannot be read here. */
export type Recorded = Requests | { readonly absent: string };

function unpacked(name: string): Buffer | { readonly absent: string } {
  const file = join(packageFolder(), '../shared/data/cache', name);
  if (!existsSync(file)) return { absent: `${file} is not here` };
  const { stdout, status, error } = spawnSync('xz', ['-dc', file], { maxBuffer: maxBytes });
  if (error !== undefined || status !== 0) return { absent: `xz could not unpack ${file}` };
  return stdout;
}

/** Numbers without gaps for names, in the order of their first occurrence. */
function numbered<T>(names: readonly T[]): { objects: Uint32Array; count: number } {
  const numbers = new Map<T, number>();
  const objects = new Uint32Array(names.length);
  for (const [at, name] of names.entries()) {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    objects[at] = known;
  }
  return { objects, count: numbers.size };
}

/** The trace web07: for each request the number of a page, 32 bits big-endian. */
export function readWeb07(): Recorded {
  const data = unpacked('web07.trace.xz');
  if ('absent' in data) return data;
  return numbered(Array.from({ length: Math.floor(data.length / 4) }, (_, at) => data.readUInt32BE(4 * at)));
}

/** The AdaptSize sample of a CDN: a line `time object bytes` for each request. */
export function readCdnSample(): Recorded {
  const data = unpacked('request.trace.xz');
  if ('absent' in data) return data;
  const lines = data.toString('latin1').trimEnd().split('\n');
  const parts = lines.map((line) => line.split(' '));
  const { objects, count } = numbered(parts.map(([, object]) => object));
  const bytes = new Float64Array(count);
  // An object that changed its length has its first length.
  for (const [at, object] of objects.entries())
    if (bytes[object] === 0) bytes[object] = Number(parts[at]?.[2] ?? 1);
  return { objects, count, bytes };
}

/** The shape of made-up requests. */
export interface ZipfOptions {
  readonly requests: number;
  /** Objects that are requested repeatedly, by Zipf's law. */
  readonly objects: number;
  readonly exponent: number;
  /** The part of the requests for objects that are never requested again, from 0 to 1. */
  readonly onceOnly: number;
}

/** Requests whose popularity follows Zipf's law, with one-hit wonders among them. */
export function zipfRequests(
  { requests, objects, exponent, onceOnly }: ZipfOptions,
  random: Random,
): Requests {
  const sums = new Float64Array(objects);
  let sum = 0;
  for (let rank = 0; rank < objects; rank++) {
    sum += (rank + 1) ** -exponent;
    sums[rank] = sum;
  }
  const draw = () => {
    const at = random.next() * sum;
    let [low, high] = [0, objects - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  let once = objects;
  return numbered(Array.from({ length: requests }, () => (random.next() < onceOnly ? once++ : draw())));
}

/** The part of the objects that are requested once, from 0 to 1. */
export function oneHitPart({ objects, count }: Requests): number {
  const times = new Uint32Array(count);
  for (const object of objects) times[object] = (times[object] ?? 0) + 1;
  return times.filter((many) => many === 1).length / count;
}
