import { createHash } from 'node:crypto';
import { RecentMap } from '../../../kernel/index.ts';
import { parametersOf, withParameters } from './ignored-parameters.ts';

/** Different values with the same content, before a parameter is no part of an address. */
const minAgreeing = 5;
/** Paths on which that was found, before it holds for the whole host. */
const minPaths = 3;
/** Max addresses and parameters that are compared at a time; the least recently used one is forgotten first. */
const maxCompared = 20_000;
const maxParameters = 8;
const maxErased = 256 * 1024;

/** Pages that differ in one parameter only. */
interface Siblings {
  readonly digest: string;
  readonly urls: Set<string>;
  refuted: boolean;
}

/** A parameter that proved to be no part of an address. */
export interface Lesson {
  readonly name: string;
  /** The path for which it holds, with its host; the host alone for all its paths. */
  readonly place: string;
  /** The address without the parameter. */
  readonly plain: string;
  /** Addresses with it that were read. */
  readonly urls: readonly string[];
}

/**
 * Learns which parameters are no part of an address: their values change while the content of the page stays, also
 * when it repeats the value in its links. Bounded in memory.
 */
export class LearnedParameters {
  readonly #siblings = new RecentMap<string, Siblings>(maxCompared);
  readonly #plain = new RecentMap<string, string>(maxCompared);
  /** Ignored names by path with host, and by host. */
  readonly #ignored = new RecentMap<string, Set<string>>(maxCompared);
  readonly #paths = new RecentMap<string, number>(maxCompared);
  readonly #refuted = new RecentMap<string, true>(maxCompared);
  /** Parameters that wait for the address without them. */
  readonly #waiting = new RecentMap<string, (readonly [string, Siblings])[]>(maxCompared);

  /** The URL without the parameters that are no part of it. */
  strip(url: string): string {
    const at = this.#ignored.count === 0 ? -1 : url.indexOf('?');
    if (at < 0) return url;
    const here = this.#ignored.get(url.slice(0, at));
    const host = this.#ignored.get(hostOf(url));
    if (here === undefined && host === undefined) return url;
    return withParameters(url, ({ name }) => !here?.has(name) && !host?.has(name));
  }

  /** The address to read next, so that the parameters of this one can be judged; undefined when none is needed. */
  plainOf(url: string): string | undefined {
    for (const { name } of parametersOf(queryOf(url)).slice(0, maxParameters)) {
      const plain = without(url, name);
      const siblings = this.#siblings.get(`${name}\n${plain}`);
      if (siblings?.urls.size === minAgreeing && !siblings.refuted && this.#plain.get(plain) === undefined)
        return plain;
    }
    return undefined;
  }

  /** Note the content of a page that was read; returns what it teaches. */
  learn(url: string, digest: string): Lesson[] {
    const lessons: Lesson[] = [];
    this.#plain.set(url, digest);
    // The page may be the plain form of others, whose parameters are judged now.
    for (const [name, same] of this.#waiting.get(url) ?? []) lessons.push(...this.#judge(name, url, same));
    this.#waiting.delete(url);
    const parameters = parametersOf(queryOf(url));
    if (parameters.length === 0 || parameters.length > maxParameters) return lessons;
    for (const { name } of parameters) {
      const plain = without(url, name);
      const key = `${name}\n${plain}`;
      const siblings = this.#siblings.get(key);
      if (siblings === undefined) {
        this.#siblings.set(key, { digest, urls: new Set([url]), refuted: false });
      } else if (siblings.digest !== digest) {
        siblings.refuted = true;
        this.#refuted.set(`${name}\n${hostOf(url)}`, true);
      } else if (siblings.urls.size < minAgreeing) siblings.urls.add(url);
      lessons.push(...this.#judge(name, plain, siblings));
    }
    return lessons;
  }

  #judge(name: string, plain: string, siblings: Siblings | undefined): Lesson[] {
    if (siblings === undefined || siblings.refuted || siblings.urls.size < minAgreeing) return [];
    const content = this.#plain.get(plain);
    if (content === undefined) {
      const waiting = this.#waiting.get(plain) ?? [];
      if (!waiting.some(([known]) => known === name))
        this.#waiting.set(plain, [...waiting, [name, siblings]]);
      return [];
    }
    if (content !== siblings.digest) {
      siblings.refuted = true;
      this.#refuted.set(`${name}\n${hostOf(plain)}`, true);
    }
    if (siblings.refuted) return [];
    const path = plain.replace(/\?.*$/s, '');
    const host = hostOf(plain);
    const of = (place: string) => this.#ignored.get(place) ?? new Set<string>();
    if (of(path).has(name) || of(host).has(name)) return [];
    this.#ignored.set(path, of(path).add(name));
    const onHost = `${name}\n${host}`;
    const paths = (this.#paths.get(onHost) ?? 0) + 1;
    this.#paths.set(onHost, paths);
    const isEverywhere = paths >= minPaths && this.#refuted.get(onHost) === undefined;
    if (isEverywhere) this.#ignored.set(host, of(host).add(name));
    return [{ name, place: isEverywhere ? host : path, plain, urls: [...siblings.urls] }];
  }
}

/** The digest of a page of a query, without the values of parameters in its links that look like sessions. */
export function contentDigest(url: string, bytes: Uint8Array, md5: string): string {
  const parameters = parametersOf(queryOf(url));
  if (parameters.length === 0 || parameters.length > maxParameters || bytes.length > maxErased) return md5;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const own = parameters.map(({ name, text: written }) => written.slice(name.length + 1)).filter(isToken);
  const erased = own
    .reduce((rest, value) => rest.replaceAll(value, ''), text)
    .replace(/([?&;][\w.[\]-]{1,64}=)([\w.-]{6,128})/g, (all: string, before: string, value: string) =>
      isToken(value) ? before : all,
    );
  return erased === text ? md5 : createHash('md5').update(erased, 'latin1').digest('hex');
}

/** Whether a value was made by a machine: long, of digits and letters or of many digits. */
function isToken(value: string): boolean {
  return /^(?=.*\d)(?=.*[a-z])[\w.-]{6,128}$|^\d{9,128}$/i.test(value);
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

function hostOf(url: string): string {
  return /^[^/]*\/\/[^/]*/.exec(url)?.[0] ?? '';
}

function without(url: string, name: string): string {
  return withParameters(url, (parameter) => parameter.name !== name);
}
