import { type EvictionPolicy, largestAdmitted } from '../../cache/index.ts';
import type { Requests } from './requests.ts';

/** The hit ratios of a cache of some size. */
export interface Replayed {
  /** From 0 to 1. */
  readonly hitRatio: number;
  /** The same, weighted by bytes. */
  readonly byteHitRatio: number;
}

/** A hash of 32 bits, in place of a key's hash. */
const hashOf = (object: number) => Math.imul(object ^ (object >>> 15), 0x9e3779b1) >>> 0;

/** Replay all requests on a cache of `budget` bytes, or of `budget` objects where `requests` has no bytes. */
export function replay(requests: Requests, policy: EvictionPolicy, budget: number): Replayed {
  const slotOf = new Int32Array(requests.count).fill(-1);
  const objectIn: number[] = [];
  const free: number[] = [];
  let [used, hits, hitBytes, allBytes] = [0, 0, 0, 0];
  const bytesOf = (object: number) => requests.bytes?.[object] ?? 1;
  const admitted =
    requests.bytes === undefined ? () => true : (bytes: number) => bytes <= largestAdmitted(budget);
  for (const object of requests.objects) {
    const bytes = bytesOf(object);
    allBytes += bytes;
    const slot = slotOf[object] as number;
    if (slot !== -1) {
      hits++;
      hitBytes += bytes;
      policy.touched(slot);
      continue;
    }
    if (!admitted(bytes)) continue;
    while (used + bytes > budget) {
      const gone = policy.evict();
      const left = objectIn[gone] as number;
      used -= bytesOf(left);
      slotOf[left] = -1;
      free.push(gone);
    }
    const entered = free.pop() ?? objectIn.length;
    objectIn[entered] = object;
    slotOf[object] = entered;
    used += bytes;
    policy.added(entered, bytes, hashOf(object));
  }
  return { hitRatio: hits / requests.objects.length, byteHitRatio: hitBytes / allBytes };
}

/** Size of all objects of the requests, in bytes or objects. */
export const wholeSize = ({ count, bytes }: Requests): number =>
  bytes?.reduce((sum, one) => sum + one, 0) ?? count;
