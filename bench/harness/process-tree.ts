import { readFileSync } from 'node:fs';
import { childrenOf, cpuSecondsOf, memoryOf } from './process-usage.ts';

/** Ticks a second of the times in /proc/PID/stat: the kernel's USER_HZ, which is 100 wherever Linux runs Node. */
const ticksPerSecond = 100;

/** CPU seconds in a line of /proc/PID/stat: of the process with ended threads, and of the children it waited for. */
export function cpuInStat(stat: string): { readonly own: number; readonly waited: number } {
  // The name in parentheses may hold spaces and parentheses; after the last one fields 3 and on follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (field: number) => {
    const value = Number(fields[field - 3]);
    if (!Number.isInteger(value))
      throw new TypeError(`field ${field} of a stat line is ${fields[field - 3]}`);
    return value / ticksPerSecond;
  };
  return { own: ticks(14) + ticks(15), waited: ticks(16) + ticks(17) };
}

const statOf = (pid: number) => cpuInStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** CPU seconds of a process, threads that have ended included, in steps of 10 ms. */
export function wholeCpuSecondsOf(pid: number): number {
  return statOf(pid).own;
}

/** A process and all its present descendants. One that ends meanwhile is left out. */
export function treeOf(pid: number): number[] {
  const tree = [pid];
  for (let at = 0; at < tree.length; at++) {
    try {
      tree.push(...childrenOf(tree[at] as number));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return tree;
}

/**
 * CPU seconds of a process, its descendants, and those of them that ended and were waited for: living ones to the
 * nanosecond, ended ones in steps of 10 ms.
 */
export function treeCpuSeconds(pid: number): number {
  let seconds = 0;
  for (const one of treeOf(pid)) {
    try {
      seconds += cpuSecondsOf(one) + statOf(one).waited;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return seconds;
}

/** Sum of the memory peaks of the present processes of a tree (resident bytes). */
export function treePeakBytes(pid: number): number {
  let bytes = 0;
  for (const one of treeOf(pid)) {
    try {
      bytes += memoryOf(one).peak;
    } catch {
      // Ended meanwhile, or about to: a zombie has no memory.
    }
  }
  return bytes;
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH';
}
