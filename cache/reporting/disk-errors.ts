interface Words {
  readonly what: string;
  /** What the operator does about it. */
  readonly cure: string;
}

const room = 'make room there, or give the cache less (cache.disk)';
const rights = 'let the user of the cache write to its data folder';
const files = 'raise the limit of open files (ulimit -n, LimitNOFILE)';

const short = 'the disk has less room than cache.disk';

const words: Readonly<Record<string, Words>> = {
  [short]: { what: short, cure: room },
  ENOSPC: { what: 'the disk is full', cure: room },
  EDQUOT: { what: 'the quota of the disk is used up', cure: room },
  EROFS: {
    what: 'the disk can only be read',
    cure: 'look at the log of the system: the disk may be failing',
  },
  EIO: { what: 'the disk fails', cure: 'look at the log of the system, and replace the disk' },
  EACCES: { what: 'this user may not write there', cure: rights },
  EPERM: { what: 'this user may not write there', cure: rights },
  EMFILE: { what: 'too many files are open', cure: files },
  ENFILE: { what: 'too many files are open on this machine', cure: files },
};

/** What a refusal of the disk means and what to do about it, as a person says it; its own words when it has no known name. */
export function diskErrorText(reason: string): Words {
  return words[reason] ?? { what: reason, cure: 'look at the log of the cache and at the disk' };
}
