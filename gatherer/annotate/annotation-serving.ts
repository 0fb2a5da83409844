import type { Clock } from '../../kernel/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { Annotations } from './annotations.ts';

/** What the annotation routes are about. */
export interface AnnotationServing {
  readonly annotations: Annotations;
  readonly clock: Clock;
  /** The stored object of a URL as others see it, or undefined. */
  readonly stored: (url: string) => Promise<SummaryObject | undefined>;
  /** Tokens that may annotate through the form; with none of them, nobody may. */
  readonly adminTokens: readonly string[];
}
