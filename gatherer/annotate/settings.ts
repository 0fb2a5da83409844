import type { Setting } from '../../kernel/index.ts';

/** The most annotations a store keeps unless told otherwise. */
export const defaultMaxAnnotations = 1_000_000;

/** What an operator may set of annotations. */
export const annotationSettings: readonly Setting[] = [
  {
    key: 'gatherer.max-annotations',
    kind: 'count',
    default: defaultMaxAnnotations,
    min: 0,
    describe: 'How many documents may be annotated',
  },
];
