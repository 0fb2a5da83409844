import type { Setting } from '../../kernel/index.ts';

/** Max annotations of a store by default. */
export const defaultMaxAnnotations = 1_000_000;

/** Settings of annotations. */
export const annotationSettings: readonly Setting[] = [
  {
    key: 'gatherer.max-annotations',
    kind: 'count',
    default: defaultMaxAnnotations,
    min: 0,
    describe: 'Max annotated documents',
  },
];
