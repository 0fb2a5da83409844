import type { RunReport } from '../../gatherer/index.ts';
import type { RunOptions } from '../harness/harness.ts';
import type { Results } from '../harness/results.ts';
import type { Census } from './folder-census.ts';
import type { GatherFigure } from './gather-figures.ts';
import { runTolerant } from './timed-garner.ts';

export const mebibyte = 2 ** 20;

/** The shared state of the stages of `gather FOLDER`. */
export interface GatherJob extends RunOptions {
  /** The folder to gather. */
  readonly root: string;
  readonly census: Census;
  /** Temporary folder. */
  readonly folder: string;
  readonly results: Results<GatherFigure>;
}

/** Run a Gatherer over a folder in its own process. */
export const gather = (job: GatherJob, root: string, data: string, text: string) =>
  runTolerant<RunReport>(
    [
      'gatherer',
      'run',
      '--root',
      root,
      '--base-url',
      'http://files.example.org/',
      '--data',
      data,
      '--text',
      text,
    ],
    job.folder,
  );
