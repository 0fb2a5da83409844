import { createHash } from 'node:crypto';
import type { TokenBucket } from '../../../fetch/index.ts';
import { type Clock, failure, systemClock } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { rootErrors } from '../root-errors.ts';
import type { ScopeRule, ScopeRun } from '../scope-rule.ts';
import { tooLargeRule } from '../web/large-documents.ts';
import { NewsSession } from './news-session.ts';
import { articleUrl, groupUrl, type NewsPlace, newsPlace, serverUrl } from './news-urls.ts';

export interface NewsEnumeratorOptions {
  /** The root's URL: nntp://host/group, with a pattern of groups or none for all of them. */
  readonly rule: ScopeRule;
  readonly login?: { readonly user: string; readonly password: string };
  /** Max size of an article that is read; 8 MiB when absent. */
  readonly maxBytes?: number;
  /** Max groups that a pattern may match; 100,000 when absent. */
  readonly maxGroups?: number;
  /** Max size of an answer of the server, and max time for one. */
  readonly maxAnswerBytes?: number;
  readonly totalTimeoutMs?: number;
  /** The server of `news:` URLs (NNTPSERVER). */
  readonly server?: string;
  /** Requests to all servers together; no limit when absent. */
  readonly rate?: TokenBucket | undefined;
  readonly clock?: Clock;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
}

/** State of a group on the server (RFC 3977 6.1.1). */
interface GroupState {
  readonly count: number;
  readonly low: number;
  readonly high: number;
}

/** State of a group at the end of the last run, and the number up to which all articles were handled. */
interface GroupMark {
  readonly mark: number;
  readonly low: number;
  readonly count: number;
  /** Time of the last listing of all its numbers; seconds since 1970. */
  readonly listedAt: number;
  /** Digest of the root's options then: other options may include articles that were left out. */
  readonly rule: string;
}

/** Context of reading an article. */
interface Visit {
  readonly group: string;
  readonly scope: ScopeRun;
  /** URL by Message-ID, if an article can occur twice. */
  readonly ids?: Map<string, string> | undefined;
  /** The numbers mean other articles than in the last run. */
  readonly renumbered?: boolean;
}

/** Articles of one OVER, which limits each answer. */
const overviewStep = 10_000;
/** How long a group's count is trusted. */
const relistSeconds = 24 * 3600;
/** Max Message-IDs in memory for recognising articles of several groups. */
const maxIds = 1_000_000;

/**
 * Enumerates the articles of news groups under nntp://host/group/number. Articles do not change: those up to the
 * highest number of the last run are not requested again. Deleted articles are noticed by the server's count, or within
 * a day.
 */
export class NewsEnumerator implements Enumerator {
  readonly #options: NewsEnumeratorOptions;
  readonly #place: NewsPlace;
  readonly #maxBytes: number;

  /** Throws GATHERER_ROOT_NODE. */
  constructor(options: NewsEnumeratorOptions) {
    this.#options = options;
    this.#place = newsPlace(options.rule.root.url, options.server);
    this.#maxBytes = options.maxBytes ?? 8 * 1024 * 1024;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const { login, clock = systemClock, connectTimeoutMs, idleTimeoutMs, rate, rule } = this.#options;
    const { maxAnswerBytes, totalTimeoutMs, maxGroups = 100_000 } = this.#options;
    await using session = await NewsSession.open({
      ...this.#place,
      login,
      clock,
      rate,
      delayMs: (rule.root.delaySeconds ?? 0) * 1000,
      ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
      ...(totalTimeoutMs !== undefined && { totalTimeoutMs }),
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
      signal,
    });
    const scope = rule.begin();
    const { groups, more } = await this.#groups(session, maxGroups);
    if (more > 0) {
      const rule = `no more than ${maxGroups} groups of one pattern: ${more} are left out`;
      yield { url: `${serverUrl(this.#place)}#groups`, depth: 0, kind: 'skipped', rule, limit: true };
    }
    // Only an article of several groups can occur twice.
    const ids = groups.length > 1 ? new Map<string, string>() : undefined;
    for (const group of groups) yield* this.#group(session, group, memory, scope, ids);
  }

  async decide(url: string): Promise<ScopeVerdict> {
    const server = serverUrl(this.#place);
    const [, group = '', number] = /^([^/]+)\/(\d+)$/.exec(url.slice(server.length)) ?? [];
    if (!url.startsWith(server) || number === undefined)
      return { url, included: false, rule: `it is no article of ${server} (nntp://host/group/number)` };
    const { groups } = this.#place;
    if (!matches(groups, decodeURIComponent(group)))
      return { url, included: false, rule: `only groups ${groups}` };
    return this.#options.rule.verdict(url);
  }

  /** The groups of the root in order, and the number of groups left out. */
  async #groups(session: NewsSession, max: number): Promise<{ groups: readonly string[]; more: number }> {
    const { groups } = this.#place;
    if (!/[*?,!]/.test(groups)) return { groups: [groups], more: 0 };
    const { code, text } = await session.command(groups === '*' ? 'LIST' : `LIST ACTIVE ${groups}`);
    if (code !== 215) throw this.#fault(`LIST is answered with ${code} ${text}`);
    const found: string[] = [];
    let more = 0;
    for await (const line of session.lines()) {
      const [name = ''] = line.split(' ', 1);
      if (name === '' || !matches(groups, name)) continue;
      if (found.length < max) found.push(name);
      else more += 1;
    }
    // A server without any group has lost them; their articles are not deleted.
    if (found.length === 0) throw this.#fault(`it has no group ${groups}`);
    return { groups: found.sort(), more };
  }

  async *#group(
    session: NewsSession,
    group: string,
    memory: EnumerationMemory,
    scope: ScopeRun,
    ids: Map<string, string> | undefined,
  ): AsyncGenerator<Enumerated> {
    const state = await this.#enter(session, group);
    const row = `${groupUrl(this.#place, group)}#group`;
    const before = markOf((await memory.recall(row))?.stamp);
    // Decreasing numbers belong to other articles than before.
    const renumbered = before !== undefined && state.high < before.mark;
    const now = Math.floor((this.#options.clock ?? systemClock).now() / 1000);
    // A server's count may be an estimate: listing everything once a day notices deleted articles.
    const { digest } = this.#options.rule;
    const recent = before?.rule === digest && now - before.listedAt < relistSeconds;
    const added =
      before && recent && !renumbered ? await this.#added(session, group, state, before, memory) : undefined;
    if (added) yield* this.#asBefore(session, state, before?.mark ?? 0, memory, { group, scope });
    let mark = added ? (before?.mark ?? 0) : state.low - 1;
    let cut = false;
    for await (const number of added ?? this.#numbers(session, group, state.low, state.high)) {
      const item = await this.#article(session, number, memory, { group, scope, ids, renumbered });
      yield item;
      cut ||= !isDone(item);
      if (!cut) mark = number;
    }
    if (!cut) mark = state.high;
    const listedAt = added ? before?.listedAt : now;
    const stamp = `${mark} ${state.low} ${state.count} ${listedAt} ${digest}`;
    yield { url: row, depth: 0, kind: 'sitemap', remember: { stamp, links: [], sitemaps: [] } };
  }

  /** The numbers added since the last run, or undefined when the server's count shows other changes. */
  async #added(
    session: NewsSession,
    group: string,
    { low, high, count }: GroupState,
    before: GroupMark,
    memory: EnumerationMemory,
  ): Promise<readonly number[] | undefined> {
    if (low < before.low) return undefined;
    const prefix = groupUrl(this.#place, group);
    let expired = 0;
    if (low > before.low)
      for await (const url of memory.known?.(prefix) ?? [])
        if (Number(url.slice(prefix.length)) < low) expired += 1;
    const added: number[] = [];
    for await (const number of this.#numbers(session, group, before.mark + 1, high)) added.push(number);
    return count === before.count - expired + added.length ? added : undefined;
  }

  async #enter(session: NewsSession, group: string): Promise<GroupState> {
    const { code, text } = await session.command(`GROUP ${group}`);
    const [count, low, high] = text.split(' ').map(Number);
    const isState = [count, low, high].every((part) => Number.isSafeInteger(part));
    if (code !== 211 || !isState) throw this.#fault(`GROUP ${group} is answered with ${code} ${text}`);
    return { count: count ?? 0, low: low ?? 0, high: high ?? 0 };
  }

  /** The articles of the last run, from memory; one without a summary is read again. */
  async *#asBefore(
    session: NewsSession,
    { low }: GroupState,
    mark: number,
    memory: EnumerationMemory,
    visit: Visit,
  ): AsyncGenerator<Enumerated> {
    const prefix = groupUrl(this.#place, visit.group);
    for await (const url of memory.known?.(prefix) ?? []) {
      const number = Number(url.slice(prefix.length));
      if (!Number.isSafeInteger(number) || number > mark) continue;
      if (number < low) yield { url, depth: 1, kind: 'gone', reason: 'the article has expired' };
      else yield await this.#article(session, number, memory, visit);
    }
  }

  /** The existing numbers of a range, in steps that limit each answer. */
  async *#numbers(session: NewsSession, group: string, from: number, to: number): AsyncGenerator<number> {
    for (let low = from; low <= to; low += overviewStep) {
      const high = Math.min(to, low + overviewStep - 1);
      let reply = await session.command(`OVER ${low}-${high}`);
      if (reply.code === 500 || reply.code === 501 || reply.code === 503)
        reply = await session.command(`XOVER ${low}-${high}`);
      // No article in this range.
      if (reply.code === 420 || reply.code === 423) continue;
      if (reply.code !== 224)
        throw this.#fault(`OVER in ${group} is answered with ${reply.code} ${reply.text}`);
      const found: number[] = [];
      for await (const line of session.lines()) {
        const number = Number(line.slice(0, line.indexOf('\t')));
        // Numbers outside of the range were not requested.
        if (number >= low && number <= high && found.length < overviewStep) found.push(number);
      }
      yield* found;
    }
  }

  async #article(
    session: NewsSession,
    number: number,
    memory: EnumerationMemory,
    { group, scope, ids, renumbered = false }: Visit,
  ): Promise<Enumerated> {
    const url = articleUrl(this.#place, group, number);
    const met = { url, depth: 1, discoveredFrom: groupUrl(this.#place, group) };
    const refusal = await scope.admit(url, 1);
    if (refusal) return { ...met, kind: 'skipped', ...refusal };
    const known = await memory.recall(url);
    if (!renumbered && known?.canonicalUrl !== undefined)
      return { ...met, kind: 'double', of: known.canonicalUrl, remember: known };
    if (!renumbered && known?.md5 !== undefined) return { ...met, kind: 'unchanged', remember: known };
    const { code, text } = await session.command(`ARTICLE ${number}`);
    if (code === 423 || code === 430) return { ...met, kind: 'gone', reason: 'there is no such article' };
    if (code !== 220) return { ...met, kind: 'failed', error: this.#fault(`${code} ${text}`) };
    const bytes = await session.block(this.#maxBytes);
    if (bytes === undefined) return { ...met, kind: 'skipped', rule: tooLargeRule(this.#maxBytes) };
    const md5 = createHash('md5').update(bytes).digest('hex');
    const id = headerOf(bytes, 'message-id');
    const first = id === undefined ? undefined : ids?.get(id);
    if (first !== undefined)
      return { ...met, kind: 'double', of: first, remember: { md5, canonicalUrl: first } };
    if (id !== undefined && ids !== undefined && ids.size < maxIds) ids.set(id, url);
    const date = Date.parse(headerOf(bytes, 'date') ?? '');
    const lastModified = Number.isFinite(date) && date >= 0 ? { lastModified: Math.floor(date / 1000) } : {};
    // The name is the article's, whatever its number; the type says news.
    const document = { url, name: `${number}`, bytes, md5, contentType: 'message/news', ...lastModified };
    return { ...met, kind: 'document', document, remember: { md5 } };
  }

  #fault(why: string) {
    const { hostname, port } = this.#place;
    return failure(rootErrors.GATHERER_NEWS, { host: `${hostname}:${port}`, why: why.slice(0, 300) });
  }
}

function markOf(stamp: string | undefined): GroupMark | undefined {
  const parts = (stamp ?? '').split(' ');
  const [mark = Number.NaN, low = 0, count = 0, listedAt = 0] = parts.slice(0, 4).map(Number);
  const rule = parts[4] ?? '';
  return Number.isFinite(mark + low + count + listedAt) ? { mark, low, count, listedAt, rule } : undefined;
}

/** Whether the next run can leave an article out. */
function isDone(item: Enumerated): boolean {
  return item.kind !== 'failed' && !(item.kind === 'skipped' && item.limit === true);
}

/** The first value of a header field, unfolded. */
function headerOf(bytes: Uint8Array, name: string): string | undefined {
  const head =
    Buffer.from(bytes.subarray(0, 32 * 1024))
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '';
  const lines = head.split(/\r?\n/);
  const at = lines.findIndex((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  if (at < 0) return undefined;
  let value = (lines[at] ?? '').slice(name.length + 1);
  for (let next = at + 1; /^[ \t]/.test(lines[next] ?? ''); next += 1)
    value += ` ${(lines[next] ?? '').trim()}`;
  return value.trim().slice(0, 1000);
}

/** Whether a group matches a wildmat (RFC 3977 4.2): the last matching part decides; `!` before it excludes. */
function matches(wildmat: string, group: string): boolean {
  let included = false;
  for (const part of wildmat.split(',').slice(0, 100)) {
    const pattern = part.replace(/^!/, '');
    if (wild(pattern, group)) included = !part.startsWith('!');
  }
  return included;
}

/** `*` and `?` against a name, in linear space and without backtracking beyond the last star. */
function wild(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  let pos = 0;
  while (pos < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      retry = pos;
    } else if (pattern[at] === '?' || pattern[at] === text[pos]) {
      at++;
      pos++;
    } else if (star >= 0) {
      at = star + 1;
      pos = ++retry;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
