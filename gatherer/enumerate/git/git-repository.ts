import { type Clock, failure } from '../../../kernel/index.ts';
import { StreamingProgram } from '../../programs/index.ts';
import { LineReader, tooLong } from '../line-reader.ts';
import { rootErrors } from '../root-errors.ts';

/** One entry of a revision's tree. */
export interface TreeEntry {
  /** Bytes as Latin-1 text, so that any name is preserved. */
  readonly path: string;
  /** `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. */
  readonly mode: string;
  readonly oid: string;
  /** Bytes of the blob; absent for a submodule. */
  readonly size: number | undefined;
}

export interface GitRepositoryOptions {
  /** A work tree or a bare repository. */
  readonly path: string;
  readonly clock: Clock;
  readonly silenceMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const maxRecord = 64 * 1024;

// A repository's own configuration may name programs; none of them may run, and nothing may be fetched.
const harmless = [
  ['safe.directory', '*'],
  ['protocol.allow', 'never'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['diff.external', ''],
  ['log.showSignature', 'false'],
  ['log.mailmap', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gc.auto', '0'],
  ['submodule.recurse', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** The environment of git: nothing of the user or the machine. */
function environment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: '',
  };
}

/** Reads a git repository through Debian's git, as data only: programs in its configuration are not run. */
export class GitRepository {
  readonly #options: GitRepositoryOptions;

  constructor(options: GitRepositoryOptions) {
    this.#options = options;
  }

  /** The id of the commit that a revision means. Throws GATHERER_GIT. */
  async commit(revision: string): Promise<string> {
    // A revision must not be read as an option, nor as a range.
    if (/^-|\.\.|[\0\r\n ]/.test(revision) || revision.length > 1000 || revision === '')
      throw this.#fault(`${revision.slice(0, 100)} is no revision`);
    await using git = this.#git(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]);
    git.end();
    const output = new LineReader(git.output());
    const line = await output.line(200);
    await git.succeeded();
    const id = line === undefined || line === tooLong ? '' : line.toString('latin1').trim();
    if (!/^[0-9a-f]{40,64}$/.test(id)) throw this.#fault('rev-parse gives no commit');
    return id;
  }

  /** Every entry below a commit's tree, in git's order. Throws GATHERER_GIT. */
  async *tree(commit: string): AsyncGenerator<TreeEntry> {
    await using git = this.#git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]);
    git.end();
    const output = new LineReader(git.output());
    for (;;) {
      const record = await output.line(maxRecord, 0);
      if (record === undefined) break;
      if (record === tooLong) continue;
      const text = record.toString('latin1');
      const tab = text.indexOf('\t');
      const [mode = '', , oid = '', size = ''] = text.slice(0, tab).split(/ +/);
      const bytes = /^\d+$/.test(size) ? Number(size) : undefined;
      yield { path: text.slice(tab + 1), mode, oid, size: bytes };
    }
    await git.succeeded();
  }

  /**
   * The time of the last commit that changed each of these paths, seconds since 1970; reading ends when all are found.
   * A file that only a merge changed has no time. Throws GATHERER_GIT.
   */
  async changeTimes(commit: string, paths: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    await using git = this.#git([
      ...['log', '-z', '--name-only', '--format=%x01%ct', '--no-renames', '--no-ext-diff', '--no-textconv'],
      ...['--no-show-signature', '--no-notes', '--ignore-submodules=all', commit],
    ]);
    git.end();
    const output = new LineReader(git.output());
    let time = 0;
    while (found.size < paths.size) {
      const record = await output.line(maxRecord, 0);
      if (record === undefined) {
        await git.succeeded();
        break;
      }
      if (record === tooLong) continue;
      if (record[0] === 0x01) {
        time = Number(record.toString('latin1', 1));
        continue;
      }
      // A line feed precedes the first path of a commit.
      const path = record.toString('latin1').replace(/^\n/, '');
      if (path !== '' && paths.has(path) && !found.has(path)) found.set(path, time);
    }
    return found;
  }

  /** The contents of these blobs, in the order given, one in memory at a time. Throws GATHERER_GIT. */
  async *blobs(
    wanted: Iterable<{ readonly oid: string; readonly size: number }>,
  ): AsyncGenerator<Buffer | undefined> {
    await using git = this.#git(['cat-file', '--batch']);
    const output = new LineReader(git.output());
    for (const { oid, size } of wanted) {
      await git.write(`${oid}\n`);
      const head = await output.line(1000);
      const text = head === undefined || head === tooLong ? '' : head.toString('latin1');
      const [, kind, length] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(text) ?? [];
      if (kind === undefined) {
        if (!text.endsWith(' missing')) throw this.#fault('cat-file ended in the middle');
        yield undefined;
        continue;
      }
      // The tree has the blob's size; another size means another object.
      if (Number(length) !== size) throw this.#fault(`the blob ${oid} is not as large as its tree says`);
      const bytes = await output.block(size);
      await output.block(1);
      if (bytes.length !== size) throw this.#fault('cat-file ended in the middle');
      yield bytes;
    }
    git.end();
  }

  #git(args: readonly string[]): StreamingProgram {
    const { path, clock, silenceMs = 120_000, signal } = this.#options;
    return new StreamingProgram({
      command: ['git', ...harmless, '--no-pager', '-C', path, ...args],
      env: environment(),
      clock,
      silenceMs,
      signal,
      fault: (why, cause) => this.#fault(why, cause),
    });
  }

  #fault(why: string, cause?: unknown) {
    return failure(rootErrors.GATHERER_GIT, { path: this.#options.path, why }, cause);
  }
}
