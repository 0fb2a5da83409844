import type { Handle } from './handle.ts';
import type { VectorElement } from './protocol-messages.ts';
import type { LearningStep } from './replica.ts';
import type { ShortId } from './short-id.ts';

/** Max lessons in a list: any number of objects may lie between two elements. */
const listLessons = 512;

/** The items that are held, one after the other beside a vector; it waits only at the end of a list. */
class Held<Item> {
  readonly #lists: AsyncIterator<readonly Item[]>;
  #list: readonly Item[] = [];
  #at = 0;

  constructor(lists: AsyncIterable<readonly Item[]>) {
    this.#lists = lists[Symbol.asyncIterator]();
  }

  /** The current item; undefined at the end of a list. */
  get item(): Item | undefined {
    return this.#list[this.#at];
  }

  /** The same, read if need be; undefined after the last. */
  async read(): Promise<Item | undefined> {
    while (this.#at >= this.#list.length) {
      const { done, value } = await this.#lists.next();
      if (done === true) return undefined;
      [this.#list, this.#at] = [value, 0];
    }
    return this.item;
  }

  next(): void {
    this.#at++;
  }

  async end(): Promise<void> {
    await this.#lists.return?.();
  }
}

/** How to compare elements with items that are held: by place, in one order. */
interface Comparing<Place extends Handle | ShortId, Item> {
  /** Throws TypeError for an element that has no place. */
  readonly placeIn: (element: VectorElement) => Place;
  readonly placeOf: (item: Item) => Place;
  /** Whether the held item in an element's place equals the object of the element. */
  readonly alike: (element: VectorElement, item: Item) => boolean;
  readonly stepOf: (element: VectorElement) => LearningStep;
}

/**
 * Compares a vector of everything with held items in the same order, neither of them ever in memory whole.
 * Only gaps between received elements, and at the end of a whole vector, count as absence.
 */
export async function* compared<Place extends Handle | ShortId, Item>(
  vector: AsyncIterable<readonly VectorElement[]>,
  lists: AsyncIterable<readonly Item[]>,
  { placeIn, placeOf, alike, stepOf }: Comparing<Place, Item>,
): AsyncIterable<readonly LearningStep[]> {
  const held = new Held(lists);
  let lessons: LearningStep[] = [];
  const forget = (item: Item) => {
    lessons.push({ kind: 'forget', object: placeOf(item), lsn: 0 });
    held.next();
  };
  try {
    for await (const list of vector) {
      for (const element of list) {
        if (element.kind === 'passed') {
          lessons.push(element);
          continue;
        }
        const place = placeIn(element);
        let mine = held.item ?? (await held.read());
        while (mine !== undefined && placeOf(mine) < place) {
          forget(mine);
          if (lessons.length >= listLessons) {
            yield lessons;
            lessons = [];
          }
          mine = held.item ?? (await held.read());
        }
        const here = mine !== undefined && placeOf(mine) === place ? mine : undefined;
        if (here === undefined || !alike(element, here)) lessons.push(stepOf(element));
        if (here !== undefined) held.next();
      }
      yield lessons;
      lessons = [];
    }
    for (let mine = await held.read(); mine !== undefined; mine = await held.read()) {
      for (let item: Item | undefined = mine; item !== undefined; item = held.item) forget(item);
      yield lessons;
      lessons = [];
    }
  } finally {
    await held.end();
  }
}
