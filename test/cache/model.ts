// A model of a hostile origin and of the valid answers of a cache in front of it: the judge of a random run.
import type { ManualClock, Random } from '../../kernel/index.ts';
import type { Received } from './kit/raw-client.ts';
import type { Answer, Asked, Line } from './kit/scripted-origin.ts';

/** One resource of the origin. Its content names its version. */
interface Resource {
  readonly target: string;
  readonly maxAge: number;
  /** Seconds after that in which a stale answer may be served while it is validated. */
  readonly staleFor: number;
  readonly tag: 'strong' | 'weak' | 'none';
  readonly varies: boolean;
  readonly isPrivate: boolean;
  readonly mustRevalidate: boolean;
  /** The start time of each version in milliseconds; the last is the present one. */
  readonly since: number[];
}

/** A request of a client, as the judge needs it. */
export interface Question {
  readonly resource: Resource;
  readonly method: 'GET' | 'HEAD';
  readonly kind: string;
  readonly client: string;
  readonly fields: readonly Line[];
  /** The version of the last change that ended before the request; nothing older is valid. */
  readonly atLeast: number;
  readonly askedAtMs: number;
}

const entityTag = ({ tag, varies }: Resource, kind: string, version: number): string | undefined =>
  tag === 'none' ? undefined : `${tag === 'weak' ? 'W/' : ''}"${version}-${varies ? kind : 'any'}"`;

/** The content of a version: it repeats its name, so that no two versions share a long run of bytes. */
function contentOf(resource: Resource, kind: string, version: number, client: string): string {
  const mark = `${resource.target} ${resource.varies ? kind : '-'} ${version} ${resource.isPrivate ? client : '-'};`;
  return mark.repeat(60).slice(0, 200 + ((version * 97) % 700));
}

/** An origin of a few changing resources, whose answers randomly fail, end early and lie. */
export class HostileOrigin {
  readonly resources: readonly Resource[];
  readonly #clock: ManualClock;
  readonly #random: Random;
  /** The number of times of each fault. */
  readonly faults = new Map<string, number>();

  constructor(clock: ManualClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.resources = Array.from({ length: 8 }, (_, at) => ({
      target: `/resource-${at}`,
      maxAge: 5 + at * 3,
      staleFor: at === 1 || at === 5 ? 6 : 0,
      tag: (['strong', 'strong', 'weak', 'none'] as const)[at % 4] ?? 'none',
      varies: at % 3 === 1,
      isPrivate: at === 7,
      mustRevalidate: at % 2 === 0,
      since: [clock.now()],
    }));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random.next() * items.length)] as Item;
  }

  isLucky(chance: number): boolean {
    return this.#random.next() < chance;
  }

  /** Change a resource. Returns its new version. */
  change(resource: Resource): number {
    resource.since.push(this.#clock.now());
    return resource.since.length - 1;
  }

  /** Answer a request, or cause a fault. */
  answer(resource: Resource, asked: Asked): Answer {
    const ticks = Math.floor(this.#random.next() * 12);
    return { ...this.#reply(resource, asked), after: passed(ticks) };
  }

  #reply(resource: Resource, asked: Asked): Answer {
    if (asked.method === 'PUT') {
      if (this.#fails('refused-change', 0.2)) return { status: 503 };
      return { status: 204, fields: [['X-Version', String(this.change(resource))]] };
    }
    const kind = asked.line('accept-language') ?? '-';
    const version = resource.since.length - 1;
    const body = contentOf(resource, kind, version, asked.line('user-agent') ?? '-');
    const tag = entityTag(resource, kind, version);
    const fields: Line[] = [
      [
        'Cache-Control',
        [
          `max-age=${resource.maxAge}`,
          ...(resource.mustRevalidate ? ['must-revalidate'] : []),
          ...(resource.staleFor > 0 ? [`stale-while-revalidate=${resource.staleFor}`] : []),
          ...(resource.isPrivate ? ['private'] : []),
        ].join(', '),
      ],
      ['X-Version', String(version)],
      ['Surrogate-Key', `all ${resource.target.slice(1)}`],
      ...(tag === undefined ? [] : [['ETag', tag] as const]),
      ...(resource.varies ? [['Vary', 'Accept-Language'] as const] : []),
    ];
    if (this.#fails('reset', 0.05)) return { reset: true };
    if (this.#fails('error', 0.05)) return { status: 503, body: 'not now' };
    if (this.#fails('cut', 0.06))
      return {
        fields: [...fields, ['Content-Length', String(body.length)]],
        body: body.slice(0, body.length / 2),
      };
    if (this.#fails('cut-chunks', 0.04)) return { raw: cutChunks(fields, body) };
    const matched = asked.line('if-none-match');
    if (matched !== undefined && this.#fails('lying-304', 0.05))
      return { status: 304, fields: [...fields, ['ETag', '"another"'], ['X-Lie', '304']] };
    if (matched !== undefined && tag !== undefined && matched.split(/, */).includes(tag))
      return { status: 304, fields };
    const range = asked.method === 'GET' ? (asked.line('range') ?? '') : '';
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const condition = asked.line('if-range');
    if (first === undefined || (condition !== undefined && condition !== tag)) return { fields, body };
    const from = Number(first);
    const to = Math.min(last === undefined || last === '' ? body.length - 1 : Number(last), body.length - 1);
    if (from > to) return { status: 416, fields: [['Content-Range', `bytes */${body.length}`]] };
    if (this.#fails('lying-206', 0.1)) {
      // Each is a recognisable lie: a part that ends after its whole, one byte more than received, no total, no
      // range.
      const range = this.pick([`${from}-${to}/${to}`, `${from}-${to + 1}/${to + 9}`, `${from}-${to}/*`, 'x']);
      return {
        status: 206,
        fields: [...fields, ['Content-Range', `bytes ${range}`], ['X-Lie', '206']],
        body: '?'.repeat(to - from + 1),
      };
    }
    return {
      status: 206,
      fields: [...fields, ['Content-Range', `bytes ${from}-${to}/${body.length}`]],
      body: body.slice(from, to + 1),
    };
  }

  #fails(what: string, chance: number): boolean {
    const does = this.isLucky(chance);
    if (does) this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
    return does;
  }
}

function cutChunks(fields: readonly Line[], body: string): string {
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const half = body.slice(0, body.length / 2);
  const chunk = `${half.length.toString(16)}\r\n${half}\r\n`;
  return `HTTP/1.1 200 OK\r\n${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`;
}

/** Yield to other work so many times first. */
async function passed(ticks: number): Promise<void> {
  for (let at = 0; at < ticks; at++) await new Promise((resolve) => setImmediate(resolve));
}

/** The fault of an answer; undefined when the answer is valid for a cache. */
export function faultOf(question: Question, received: Received): string | undefined {
  const { resource, kind, client, method } = question;
  const path = received.line('cache-status') ?? '';
  const isHit = /; *hit\b/.test(path.split(', ').at(-1) ?? '');
  if (/; *hit\b/.test(path) && received.line('x-lie') !== undefined)
    return `an invalid response is served from the store: ${received.line('x-lie')}`;
  if (received.isCut || received.line('x-lie') !== undefined) return undefined;
  if (received.status === 500) return 'the cache itself failed';
  if (received.status > 500) return undefined;
  const version = Number(received.line('x-version'));
  if (received.status === 304) {
    const asked = question.fields.find(([name]) => name === 'If-None-Match')?.[1];
    return asked !== undefined && asked === received.line('etag')
      ? undefined
      : `304 to ${asked ?? 'no condition'}`;
  }
  if (received.status === 416) return undefined;
  if (!Number.isInteger(version)) return `status ${received.status} without a version`;
  const whole = contentOf(resource, kind, version, client);
  const [tag, given] = [entityTag(resource, kind, version), received.line('etag')];
  if (given !== tag) return `entity tag ${given} with the version of ${tag}`;
  if (received.status === 206) {
    const [, first, last, total] =
      /^bytes (\d+)-(\d+)\/(\d+)$/.exec(received.line('content-range') ?? '') ?? [];
    if (Number(total) !== whole.length) return `a part of ${total} bytes where there are ${whole.length}`;
    if (received.body !== whole.slice(Number(first), Number(last) + 1)) return 'a part with other bytes';
  } else if (received.status !== 200) return `status ${received.status}`;
  else if (method === 'GET' && received.body !== whole)
    return `a content that is not version ${version} for ${kind}: ${received.body.slice(0, 60)}`;
  if (version < question.atLeast) return `version ${version} after a change to ${question.atLeast}`;
  const replaced = resource.since[version + 1] ?? Number.POSITIVE_INFINITY;
  const longest = resource.maxAge + resource.staleFor;
  const isStaleOnError = !resource.mustRevalidate && /fwd=stale/.test(path);
  if (!isStaleOnError && replaced < question.askedAtMs - longest * 1000)
    return `version ${version}, which was replaced ${(question.askedAtMs - replaced) / 1000} s ago: ${path}`;
  if (isHit && (received.age ?? 0) > longest) return `age ${received.age} of at most ${longest}`;
  return undefined;
}
