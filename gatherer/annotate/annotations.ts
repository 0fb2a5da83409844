import { failure, isGarnerError } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { digestOf, type SummaryObject } from '../../soif/index.ts';
import { type Annotation, annotatedUrl, annotationOf, versionOf } from './annotation.ts';
import type { AnnotationStore } from './annotation-store.ts';
import { annotationErrors } from './errors.ts';
import { laidOver, merged, unmerged } from './merge.ts';

/** The decision about a stored object: keep it, replace it, or read its document again. */
export type Edited =
  | { readonly kind: 'keep' }
  | { readonly kind: 'put'; readonly object: SummaryObject }
  | { readonly kind: 'read' };

/** The annotated objects: the part of the production store that annotations need. */
export interface AnnotatedObjects {
  /** Carry out the decision of `edit` on the stored object of a URL, while nothing else changes it. */
  edit(url: string, edit: (stored: SummaryObject | undefined) => Promise<Edited>): Promise<void>;
}

/** Result of changing an annotation: the object shows it, or it waits for the document or for the next run. */
export type AnnotationOutcome = 'stored' | 'unchanged' | 'waiting' | 'next-run';

/** Result of an import. */
export interface AnnotationImport {
  readonly outcomes: Readonly<Record<AnnotationOutcome, number>>;
  /** Records that were refused, with the reasons. */
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
}

const hex = (object: SummaryObject) => Buffer.from(digestOf(object)).toString('hex');

/** The annotations of a Gatherer, applied to gathered and to stored objects. */
export class Annotations {
  readonly store: AnnotationStore;
  readonly #objects: AnnotatedObjects;

  constructor(store: AnnotationStore, objects: AnnotatedObjects) {
    this.store = store;
    this.#objects = objects;
  }

  /** A gathered object with its annotation. Call it with the Gatherer's own attributes included. */
  async applyTo(gathered: SummaryObject): Promise<SummaryObject> {
    // The common case costs nothing.
    if (this.store.count === 0) return gathered;
    const annotation = await this.store.get(gathered.url);
    return annotation === undefined ? gathered : this.#merge(gathered, annotation.fields);
  }

  /** A stored object without its annotation; undefined when the record of its merge is lost. */
  async gathered(stored: SummaryObject): Promise<SummaryObject | undefined> {
    const merges = await this.store.merges(stored.url);
    const digest = hex(stored);
    const made = merges.find(({ mergedDigest }) => mergedDigest === digest);
    if (made !== undefined) return unmerged(stored, made);
    const known = merges.length === 0 || merges.some(({ gatheredDigest }) => gatheredDigest === digest);
    return known ? stored : undefined;
  }

  get(url: string): Promise<Annotation | undefined> {
    return this.store.get(annotatedUrl(url));
  }

  /**
   * Write an annotation and show it in the stored object. Throws ANNOTATION_* like `annotationOf`, and
   * ANNOTATION_CHANGED when `expected` is not the current version.
   */
  set(given: Annotation, expected?: string): Promise<AnnotationOutcome> {
    return this.#set(given, expected, true);
  }

  async #set(given: Annotation, expected: string | undefined, sync: boolean): Promise<AnnotationOutcome> {
    const annotation = annotationOf(given);
    return this.#change(annotation.url, async () => {
      const held = await this.#held(annotation.url, expected);
      // An equal annotation is not written again, but shown if that failed the last time.
      if (held !== undefined && isSame(held, annotation)) return this.store.isPending(annotation.url);
      await this.store.put(annotation, { sync });
      return true;
    });
  }

  /** Remove an annotation: the gathered values come back. Throws ANNOTATION_MISSING and ANNOTATION_CHANGED. */
  remove(given: string, expected?: string): Promise<AnnotationOutcome> {
    const url = annotatedUrl(given);
    return this.#change(url, async () => {
      await this.#held(url, expected);
      if (!(await this.store.delete(url))) throw failure(annotationErrors.ANNOTATION_MISSING, { url });
      return true;
    });
  }

  /** Import annotations, each merged into the existing one; a refused annotation does not stop the others. */
  async take(annotations: Iterable<Annotation> | AsyncIterable<Annotation>): Promise<AnnotationImport> {
    const outcomes = { stored: 0, unchanged: 0, waiting: 0, 'next-run': 0 };
    const refused: { url: string; reason: string }[] = [];
    try {
      for await (const annotation of annotations) {
        try {
          const held = await this.get(annotation.url);
          const fields = laidOver(held?.fields ?? [], annotation.fields);
          const author = annotation.author || (held?.author ?? '');
          outcomes[await this.#set({ ...annotation, fields, author }, versionOf(held), false)]++;
        } catch (error) {
          if (!isGarnerError(error) || error.status >= 500) throw error;
          refused.push({ url: annotation.url.slice(0, 200), reason: error.message });
        }
      }
    } finally {
      await this.store.flush();
    }
    return { outcomes, refused };
  }

  /** Call it after opening: it shows annotations in stored objects where a kill came in between. */
  async resume(): Promise<void> {
    for await (const url of this.store.pending()) await this.#change(url, async () => true);
  }

  async #held(url: string, expected: string | undefined): Promise<Annotation | undefined> {
    const held = await this.store.get(url);
    if (expected !== undefined && expected !== versionOf(held))
      throw failure(annotationErrors.ANNOTATION_CHANGED, { url });
    return held;
  }

  async #change(url: string, write: () => Promise<boolean>): Promise<AnnotationOutcome> {
    let outcome: AnnotationOutcome = 'unchanged';
    await this.#objects.edit(url, async (stored) => {
      if (!(await write())) return { kind: 'keep' };
      const edited = await this.#edited(url, stored);
      outcome = stored === undefined ? 'waiting' : edited.kind === 'read' ? 'next-run' : 'stored';
      return edited;
    });
    if (outcome !== 'unchanged') await this.store.settled(url);
    return outcome;
  }

  async #edited(url: string, stored: SummaryObject | undefined): Promise<Edited> {
    if (stored === undefined) return { kind: 'keep' };
    const gathered = await this.gathered(stored);
    if (gathered === undefined) return { kind: 'read' };
    const annotation = await this.store.get(url);
    const object = annotation === undefined ? gathered : await this.#merge(gathered, annotation.fields);
    return { kind: 'put', object };
  }

  async #merge(gathered: SummaryObject, fields: readonly Field[]): Promise<SummaryObject> {
    const { object, merge } = merged(gathered, fields);
    await this.store.noteMerge(gathered.url, {
      ...merge,
      gatheredDigest: hex(gathered),
      mergedDigest: hex(object),
    });
    return object;
  }
}

function isSame(a: Annotation, b: Annotation): boolean {
  return a.author === b.author && JSON.stringify(a.fields) === JSON.stringify(b.fields);
}
