interface DiskErrorText {
  readonly what: string;
  /** Advice for the operator. */
  readonly cure: string;
}

const room = 'free some space there, or reduce cache.disk';
const rights = 'give the user of the cache write permission on its data folder';
const files = 'raise the limit of open files (ulimit -n, LimitNOFILE)';

const short = 'the disk has less room than cache.disk';

const texts: Readonly<Record<string, DiskErrorText>> = {
  [short]: { what: short, cure: room },
  ENOSPC: { what: 'the disk is full', cure: room },
  EDQUOT: { what: 'the quota of the disk is used up', cure: room },
  EROFS: {
    what: 'the disk is read-only',
    cure: 'check the system log: the disk may be failing',
  },
  EIO: { what: 'the disk fails', cure: 'check the system log, and replace the disk' },
  EACCES: { what: 'this user may not write there', cure: rights },
  EPERM: { what: 'this user may not write there', cure: rights },
  EMFILE: { what: 'too many files are open', cure: files },
  ENFILE: { what: 'too many files are open on this machine', cure: files },
};

/** The meaning of a disk error and advice, in plain English; the error's own text when it has no known code. */
export function diskErrorText(reason: string): DiskErrorText {
  return texts[reason] ?? { what: reason, cure: 'check the log of the cache, and the disk' };
}
