import type { Setting } from '../../kernel/index.ts';
import { defaultMaxAnnotations } from './annotation-store.ts';

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
