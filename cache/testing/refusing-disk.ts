import { type FileCalls, systemCalls } from '../storage/files/file-calls.ts';

const refusal = (code: string, call: string) => Object.assign(new Error(`${code}: ${call}`), { code });

/** A disk that refuses calls for some files, as a full or broken one does. */
export class RefusingDisk {
  /** The error code for a write to this path; undefined accepts it. */
  writes: (path: string) => string | undefined = () => undefined;
  /** The error code for a sync of this path; undefined accepts it. */
  syncs: (path: string) => string | undefined = () => undefined;

  readonly calls: FileCalls = {
    write: async (file, buffers, offset) => {
      const code = this.writes(file.path);
      if (code !== undefined) throw refusal(code, 'write');
      await systemCalls.write(file, buffers, offset);
    },
    sync: async (file) => {
      const code = this.syncs(file.path);
      if (code !== undefined) throw refusal(code, 'fdatasync');
      await systemCalls.sync(file);
    },
  };
}
