import type { Pace } from '../harness/harness.ts';
import type { Results } from '../harness/results.ts';
import type { Site } from '../material/corpus.ts';
import type { Nginx } from '../programs/nginx.ts';
import type { MainFigure } from './main-figures.ts';

/** What the stages of the main job share. */
export interface Job extends Pace {
  /** Temporary folder for everything. */
  readonly folder: string;
  readonly site: Site;
  /** Fewer repetitions within a round. */
  readonly quick: boolean;
  /** Undefined where it is not installed. */
  readonly nginx: Nginx | undefined;
  readonly results: Results<MainFigure>;
}

/** The site is published here as far as anybody is concerned. */
export const baseUrl = 'http://docs.example.org/';

/** What `garner gatherer serve --json` says. */
export interface GathererSays {
  readonly collect: string;
  readonly soif: string;
}

/** What `garner broker serve --json` says. */
export interface BrokerSays {
  readonly search: string;
}
