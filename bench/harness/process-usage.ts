import { readdirSync, readFileSync } from 'node:fs';

/** Whether this system has the resource usage of processes in /proc (Linux does). */
export function canReadUsage(): boolean {
  try {
    return cpuSecondsOf(process.pid) > 0;
  } catch {
    return false;
  }
}

/** CPU seconds of a process's threads that live now, to the nanosecond: the difference of two calls is its work. */
export function cpuSecondsOf(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
  return nanoseconds / 1e9;
}

/** Resident bytes of a process now, and their peak. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (field: string) => {
    const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    if (kib === undefined) throw new TypeError(`/proc/${pid}/status has no ${field}`);
    return Number(kib) * 1024;
  };
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}
