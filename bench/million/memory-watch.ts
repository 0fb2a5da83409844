import { readFileSync } from 'node:fs';

const lookMs = 50;

/** Resident bytes that belong to no file: pages of files that are mapped can be dropped at any time. */
function ownBytes(): number {
  const kib = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kib === undefined) throw new TypeError('/proc/self/status has no RssAnon');
  return Number(kib) * 1024;
}

/** Look at this process's own memory again and again; what is answered ends it and tells the most that was seen. */
export function watchOwnMemory(): () => number {
  let most = ownBytes();
  const look = setInterval(() => {
    most = Math.max(most, ownBytes());
  }, lookMs);
  return () => {
    clearInterval(look);
    return Math.max(most, ownBytes());
  };
}
