import type { Pace } from '../harness/harness.ts';
import type { Results } from '../harness/results.ts';
import type { Site } from '../material/corpus.ts';
import type { Nginx } from '../programs/nginx.ts';
import type { MainFigure } from './main-figures.ts';

/** The shared state of the stages of the main job. */
export interface Job extends Pace {
  /** Temporary folder for everything. */
  readonly folder: string;
  readonly site: Site;
  /** Whether a round has fewer repetitions. */
  readonly quick: boolean;
  /** Undefined where nginx is not installed. */
  readonly nginx: Nginx | undefined;
  readonly results: Results<MainFigure>;
}

/** The base URL under which the site is published. */
export const baseUrl = 'http://docs.example.org/';

/** The ready line of `garner gatherer serve --json`. */
export interface GathererSays {
  readonly collect: string;
  readonly soif: string;
}

/** The ready line of `garner broker serve --json`. */
export interface BrokerSays {
  readonly search: string;
}
