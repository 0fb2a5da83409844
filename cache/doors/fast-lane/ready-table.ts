import type { RawFields } from '../../rules/index.ts';
import { modifiedSinceField, noneMatchField, plainFieldNumber, plainFields } from './plain-fields.ts';
import {
  notModifiedAnswer,
  type ReadyAnswer,
  type ReadyAnswers,
  type ReadyHead,
  type ReadySource,
  type RequestValues,
  wholeAnswer,
} from './ready-answer.ts';

/** Estimated bytes of one variant besides its content. */
const variantBytes = 1024;
/** Max variants of one URL; the one learned first is replaced. */
const maxVariants = 8;
/** Responses that vary by more fields go to the slow path. */
const maxVaryNames = 8;
/** Statuses whose answers have content, and are the same for everybody. */
const isReadyStatus = (status: number) => status >= 200 && ![204, 205, 206, 304].includes(status);

/** One stored response, prebuilt for the requests with the same values in the fields by which it varies. */
interface Variant {
  readonly url: string;
  /** In the order of the URL's fields. */
  readonly values: readonly (string | undefined)[];
  readonly source: ReadySource;
  readonly bytes: number;
  untilMs: number;
  whole: ReadyAnswer;
  notModified: ReadyAnswer | undefined;
  /** Hits since the last report to the source. */
  hits: number;
  contentBytes: number;
  /** Requested since the last pass of the hand. */
  wanted: boolean;
  /** Its index in the clock; -1 after it was dropped. */
  place: number;
}

interface Ready {
  /** The numbers of the fields by which any response of the URL varies. */
  readonly fields: readonly number[];
  readonly variants: Variant[];
}

/** A response that has just been answered by the slow path, to be answered again in the same way. */
export interface Learned {
  readonly url: string;
  /** Every field name in lower case by which any stored response of the URL varies. */
  readonly vary: readonly string[];
  readonly requestFields: RawFields;
  readonly source: ReadySource;
}

/**
 * Answers by URL, each built once and used until its head changes. Responses are learned from answers of the slow path,
 * so that nothing is decided here; `forget` must be called for every change to what is stored under a URL. Bounded by
 * bytes: a variant that is not requested between two passes of the clock's hand is dropped for others.
 */
export class ReadyTable implements ReadyAnswers {
  readonly #maxBytes: number;
  readonly #byUrl = new Map<string, Ready>();
  /** All variants; the hand moves over them in a circle. */
  readonly #clock: Variant[] = [];
  #hand = 0;
  #bytes = 0;
  readonly #keepAliveMs: number;

  /** Answers state that a connection is kept for `keepAliveMs`. */
  constructor(maxBytes: number, keepAliveMs: number) {
    this.#maxBytes = maxBytes;
    this.#keepAliveMs = keepAliveMs;
  }

  /** Bytes held, including an estimate for the bookkeeping. */
  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#clock.length;
  }

  find(url: string, head: RequestValues, nowMs: number): ReadyAnswer | undefined {
    const ready = this.#byUrl.get(url);
    if (ready === undefined) return undefined;
    for (const variant of ready.variants) {
      if (!ready.fields.every((field, at) => head.value(field) === variant.values[at])) continue;
      if (nowMs >= variant.untilMs && !this.#renewed(variant, nowMs)) return undefined;
      const answer = this.#unlessConditional(variant, head);
      if (answer === undefined) return undefined;
      variant.hits += 1;
      if (answer === variant.whole && head.method === 'GET')
        variant.contentBytes += variant.source.content.length;
      variant.wanted = true;
      return answer;
    }
    return undefined;
  }

  /** Learn a response; false when it cannot be prebuilt. */
  learn({ url, vary, requestFields, source }: Learned, nowMs: number): boolean {
    const bytes = source.content.length + 2 * url.length + variantBytes;
    if (vary.length > maxVaryNames || bytes > this.#maxBytes) return false;
    const fields = vary.map(plainFieldNumber).sort((one, other) => one - other);
    if (fields.some((field) => field < 0)) return false;
    const values = valuesOf(requestFields, fields);
    if (values === undefined) return false;
    let ready = this.#byUrl.get(url);
    if (ready !== undefined && !sameList(ready.fields, fields)) {
      this.forget(url);
      ready = undefined;
    }
    const before = ready?.variants.find((one) => sameList(one.values, values));
    if (before?.source.of === source.of && nowMs < before.untilMs) return true;
    const head = source.headAt(nowMs);
    if (head === undefined || !isReadyStatus(head.status)) return false;
    const answers = this.#answersOf(head, source);
    if (answers === undefined) return false;

    if (before !== undefined) this.#remove(before);
    ready = this.#byUrl.get(url);
    if (ready === undefined) {
      ready = { fields, variants: [] };
      this.#byUrl.set(url, ready);
    }
    if (ready.variants.length >= maxVariants) this.#drop(ready.variants.shift() as Variant);
    const variant: Variant = {
      ...{ url, values, source, bytes, untilMs: head.untilMs, ...answers },
      ...{ hits: 0, contentBytes: 0, wanted: true, place: this.#clock.length },
    };
    ready.variants.push(variant);
    this.#clock.push(variant);
    this.#bytes += bytes;
    this.#makeRoom(variant);
    return true;
  }

  /** The prebuilt responses of a URL, for learning elsewhere. */
  under(url: string): readonly Learned[] {
    const ready = this.#byUrl.get(url);
    if (ready === undefined) return [];
    const vary = ready.fields.map((field) => plainFields[field] as string);
    return ready.variants.map(({ source, values }) => {
      const requestFields = vary.flatMap((name, at) => (values[at] === undefined ? [] : [name, values[at]]));
      return { url, vary, requestFields, source };
    });
  }

  /** The responses of a URL have changed: drop their answers. */
  forget(url: string): void {
    const ready = this.#byUrl.get(url);
    if (ready === undefined) return;
    this.#byUrl.delete(url);
    for (const variant of ready.variants) this.#drop(variant);
  }

  /** Any response may have changed. */
  forgetAll(): void {
    this.#byUrl.clear();
    for (const variant of [...this.#clock]) this.#drop(variant);
  }

  reportHits(): void {
    for (const variant of this.#clock) reportHits(variant);
  }

  /** Rebuild the answers; false when the response may no longer be sent. */
  #renewed(variant: Variant, nowMs: number): boolean {
    reportHits(variant);
    const head = variant.source.headAt(nowMs);
    const answers = head === undefined ? undefined : this.#answersOf(head, variant.source);
    if (head === undefined || answers === undefined) {
      this.#remove(variant);
      return false;
    }
    // `headAt` may have made the store notice that the response is lost.
    if (variant.place < 0) return false;
    variant.untilMs = head.untilMs;
    variant.whole = answers.whole;
    variant.notModified = answers.notModified;
    return true;
  }

  /** RFC 9110 13.2.2, as far as equal strings decide it; anything else goes to the slow path. */
  #unlessConditional(variant: Variant, head: RequestValues): ReadyAnswer | undefined {
    const tag = head.value(noneMatchField);
    if (tag !== undefined) return tag === variant.source.etag ? variant.notModified : undefined;
    const since = head.value(modifiedSinceField);
    if (since !== undefined) return since === variant.source.lastModified ? variant.notModified : undefined;
    return variant.whole;
  }

  #answersOf(head: ReadyHead, { content }: ReadySource): Pick<Variant, 'whole' | 'notModified'> | undefined {
    const whole = wholeAnswer(head, content, this.#keepAliveMs);
    return whole && { whole, notModified: notModifiedAnswer(head, this.#keepAliveMs) };
  }

  #makeRoom(kept: Variant): void {
    while (this.#bytes > this.#maxBytes) {
      if (this.#hand >= this.#clock.length) this.#hand = 0;
      const variant = this.#clock[this.#hand] as Variant;
      if (variant.wanted || variant === kept) {
        variant.wanted = false;
        this.#hand += 1;
      } else this.#remove(variant);
    }
  }

  #remove(variant: Variant): void {
    const ready = this.#byUrl.get(variant.url);
    const at = ready?.variants.indexOf(variant) ?? -1;
    if (ready !== undefined && at >= 0) {
      ready.variants.splice(at, 1);
      if (ready.variants.length === 0) this.#byUrl.delete(variant.url);
    }
    this.#drop(variant);
  }

  #drop(variant: Variant): void {
    if (variant.place < 0) return;
    // The last one takes its place, so that no other moves.
    const last = this.#clock.pop() as Variant;
    if (last !== variant) {
      this.#clock[variant.place] = last;
      last.place = variant.place;
    }
    variant.place = -1;
    this.#bytes -= variant.bytes;
    reportHits(variant);
    variant.source.left?.();
  }
}

function reportHits(variant: Variant): void {
  if (variant.hits === 0) return;
  variant.source.onHits(variant.hits, variant.contentBytes);
  variant.hits = 0;
  variant.contentBytes = 0;
}

function sameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/** The request's values of fields; undefined when one of them is repeated. */
function valuesOf(raw: RawFields, fields: readonly number[]): readonly (string | undefined)[] | undefined {
  const values: (string | undefined)[] = fields.map(() => undefined);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const field = plainFieldNumber((raw[at] as string).toLowerCase());
    const index = field < 0 ? -1 : fields.indexOf(field);
    if (index < 0) continue;
    if (values[index] !== undefined) return undefined;
    values[index] = raw[at + 1];
  }
  return values;
}
