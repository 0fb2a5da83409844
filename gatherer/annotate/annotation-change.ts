import type { Field } from '../../readers/document/index.ts';
import { baseName } from '../../soif/index.ts';
import type { Annotation } from './annotation.ts';
import { FieldList } from './field-list.ts';
import { laidOver } from './merge.ts';

/** What somebody changes in what is annotated of a document; the rest stays. */
export interface AnnotationChange {
  /** In place of all annotated values of these names; a name that comes again gets several values. */
  readonly set: readonly Field[];
  /** Names that are annotated no longer. */
  readonly remove: readonly string[];
  /** Who says so; who said it before when absent. */
  readonly author?: string;
}

/** The annotation that a change makes of the one there is; undefined when nothing would be annotated. */
export function changedAnnotation(
  url: string,
  held: Annotation | undefined,
  { set, remove, author }: AnnotationChange,
  at: number,
): Annotation | undefined {
  const removed = new Set(remove.map(baseName));
  const kept = (held?.fields ?? []).filter(([name]) => !removed.has(baseName(name)));
  const list = new FieldList();
  for (const [name, value] of set) list.add(name, value);
  const fields = laidOver(kept, list.fields);
  return fields.length === 0 ? undefined : { url, fields, author: author ?? held?.author ?? '', at };
}
