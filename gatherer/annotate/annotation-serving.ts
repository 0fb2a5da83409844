import type { SitePage } from '../../http/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { SummaryObject } from '../../soif/index.ts';
import type { Annotations } from './annotations.ts';

/** The environment of the annotation routes. */
export interface AnnotationServing {
  readonly annotations: Annotations;
  readonly clock: Clock;
  /** The stored object of a URL as clients see it, or undefined. */
  readonly stored: (url: string) => Promise<SummaryObject | undefined>;
  /** Tokens that may annotate through the form; without any, the form cannot save. */
  readonly adminTokens: readonly string[];
  /** The pages of this server, for their navigation. */
  readonly pages?: readonly SitePage[];
}
