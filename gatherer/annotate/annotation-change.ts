import type { Field } from '../../readers/document/index.ts';
import { baseName } from '../../soif/index.ts';
import type { Annotation } from './annotation.ts';
import { FieldList } from './field-list.ts';
import { laidOver } from './merge.ts';

/** A change of a document's annotation; the other attributes stay. */
export interface AnnotationChange {
  /** Replaces all annotated values of these names; a repeated name gets several values. */
  readonly set: readonly Field[];
  /** Names to remove from the annotation. */
  readonly remove: readonly string[];
  /** The author; the previous author when absent. */
  readonly author?: string;
}

/** The annotation after a change of `held`; undefined when nothing would be annotated. */
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
