import { type Clock, failure, isGarnerError, systemClock } from '../../../kernel/index.ts';
import { StreamingProgram } from '../../programs/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { type LeafReading, leafReading } from '../leaves/leaf-enumerator.ts';
import { type Leaf, LeafReader, leafUrl } from '../leaves/leaf-reader.ts';
import { LineReader, tooLong } from '../line-reader.ts';
import { rootErrors } from '../root-errors.ts';
import type { RootNode } from '../root-node.ts';
import type { ScopeRule } from '../scope-rule.ts';
import { UrlSet } from '../web/url-set.ts';

export interface ProgramEnumeratorOptions extends LeafReading {
  /** Decides which URLs belong to the root, with its limits. */
  readonly rule: ScopeRule;
  /** The program and its arguments; a shell does not interpret them. */
  readonly command: readonly string[];
  /** Whether it gets a line of JSON on standard input: `url` and the RootNode's limits; else nothing. */
  readonly getsTask: boolean;
  /** Expands a URL that the program prints, `depth` steps deep; when absent, URLs are leaves. */
  readonly expand?: (url: string, depth: number) => Enumerator;
  readonly clock?: Clock;
  /** Max time without a line, 60 s when absent. */
  readonly silenceMs?: number;
}

const maxLine = 64 * 1024;

/** The program's task. */
function task(root: RootNode): string {
  const rules = (filter: RootNode['urlFilter']) =>
    filter.map(({ allow, text }) => ({ [allow ? 'allow' : 'deny']: text }));
  const { url, urlMax, hostMax, access, delaySeconds, depth, search } = root;
  const limits = { urlMax, hostMax, access, delaySeconds, depth, search };
  return JSON.stringify({
    url,
    ...limits,
    urlFilter: rules(root.urlFilter),
    hostFilter: rules(root.hostFilter),
  });
}

/**
 * Enumerates the output of a program: per line one URL, or one JSON object with `url` and optionally `modified`
 * (seconds since 1970), `stamp` (identifies the content) and `from`. Empty lines and lines that begin with `#` are
 * remarks. When a program fails, URLs that it did not print are not deleted. A program that prints nothing has failed
 * too; if there are no URLs, it prints a remark.
 */
export class ProgramEnumerator implements Enumerator {
  readonly #options: ProgramEnumeratorOptions;

  constructor(options: ProgramEnumeratorOptions) {
    this.#options = options;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const { rule, expand, delayMs = 0 } = this.#options;
    const { depth = 0, delaySeconds = 0 } = rule.root;
    if (expand !== undefined && depth > 0) {
      const yielded = new UrlSet();
      for await (const leaf of this.#lines(signal))
        if ('kind' in leaf) yield leaf;
        // Several of the URLs may lead to the same page.
        else
          for await (const item of this.#expanded(leaf, expand(leaf.url, depth), memory, signal))
            if (yielded.add(item.url) || item.kind === 'double' || isWhole(item)) yield item;
      return;
    }
    const reader = new LeafReader({
      ...leafReading(this.#options),
      delayMs: Math.max(delayMs, delaySeconds * 1000),
      memory,
      scope: rule.begin(),
      signal,
    });
    yield* reader.read(this.#lines(signal));
  }

  async decide(url: string): Promise<ScopeVerdict> {
    const verdict = await this.#options.rule.verdict(leafUrl(url) ?? url);
    if (!verdict.included) return verdict;
    return { ...verdict, rule: `${verdict.rule}; only if ${this.#options.command[0]} prints it` };
  }

  /** The program's output. Throws GATHERER_PROGRAM at its end if it failed or printed nothing. */
  async *#lines(signal: AbortSignal | undefined): AsyncGenerator<Leaf | Enumerated> {
    const { command, getsTask, rule, clock = systemClock, silenceMs = 60_000 } = this.#options;
    const fault = (why: string, cause?: unknown) =>
      failure(rootErrors.GATHERER_PROGRAM, { program: command[0] ?? '', why }, cause);
    await using program = new StreamingProgram({ command, clock, silenceMs, signal, fault });
    const output = new LineReader(program.output());
    if (getsTask) await program.write(`${task(rule.root)}\n`);
    program.end();
    let isSilent = true;
    for (;;) {
      const line = await output.line(maxLine);
      if (line === undefined) break;
      isSilent = false;
      const text = line === tooLong ? tooLong : line.toString('utf8').trim();
      if (text === '' || (text !== tooLong && text.startsWith('#'))) continue;
      const leaf = text === tooLong ? undefined : leafOf(text, rule.root.url);
      if (leaf) yield leaf;
      else {
        const shown = text === tooLong ? rule.root.url : text.slice(0, 200);
        yield { url: shown, depth: 0, kind: 'skipped', rule: `${command[0]} printed a line that is no URL` };
      }
    }
    await program.succeeded();
    // A command that fails within a pipeline leaves exit status 0 and no output.
    if (isSilent) throw fault('it printed nothing');
  }

  async *#expanded(
    leaf: Leaf,
    enumerator: Enumerator,
    memory: EnumerationMemory,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Enumerated> {
    let failed = false;
    const own: EnumerationMemory = {
      recall: (url) => memory.recall(url),
      // Documents behind a page that fails now are requested; those of other roots are left to them.
      async *known(prefix) {
        if (!failed || enumerator.covers === undefined) return;
        for await (const url of memory.known?.(prefix) ?? []) if (enumerator.covers(url)) yield url;
      },
    };
    try {
      for await (const item of enumerator.enumerate(own, signal)) {
        failed ||= item.kind === 'failed';
        yield item;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isGarnerError(error)) throw error;
      // Documents behind it were not yielded, and are not deleted.
      yield { url: leaf.url, depth: 0, kind: 'failed', error, whole: true };
    }
  }
}

function isWhole(item: Enumerated): boolean {
  return item.kind === 'failed' && item.whole === true;
}

function leafOf(text: string, base: string): Leaf | undefined {
  if (!text.startsWith('{')) return URL.canParse(text) ? { url: text, depth: 0, from: base } : undefined;
  try {
    const printed = JSON.parse(text) as Record<string, unknown>;
    const { url, modified, stamp, from } = printed;
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
    return {
      url,
      depth: 0,
      from: typeof from === 'string' ? from.slice(0, 8192) : base,
      ...(typeof modified === 'number' && Number.isFinite(modified) && modified >= 0 && { modified }),
      ...(typeof stamp === 'string' && stamp !== '' && { stamp: stamp.slice(0, 512) }),
    };
  } catch {
    return undefined;
  }
}
