import { readFileSync } from 'node:fs';

/** Whether a process is gone, or is a zombie. */
export function hasEnded(pid: number): boolean {
  try {
    // The name before the state is in parentheses and may have spaces.
    const [state = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return state === 'Z' || state === 'X';
  } catch {
    return true;
  }
}
