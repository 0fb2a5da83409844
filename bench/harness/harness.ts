import type { Row, Skipped } from './results.ts';

/** One thing that is measured again and again. */
export interface Case {
  readonly name: string;
  readonly run: (round: number) => void | Promise<void>;
}

export interface Pace {
  readonly rounds: number;
  /** Told of each measurement before it is made. */
  readonly onStep: (step: string) => void;
  /** Ends between two measurements. */
  readonly signal: AbortSignal;
}

export interface RunOptions extends Pace {
  /** Smaller input and fewer repetitions: to see that it works, not to compare. */
  readonly quick: boolean;
}

export interface Measured {
  /** What was worked on, one sentence each. */
  readonly input: readonly string[];
  readonly rows: readonly Row[];
  readonly skipped: readonly Skipped[];
}

export interface Benchmark {
  readonly name: string;
  readonly describe: string;
  /** Programs it compares with, by name, each with the flag that prints its version. */
  readonly peers: Readonly<Record<string, readonly [program: string, flag: string]>>;
  readonly run: (options: RunOptions) => Promise<Measured>;
}

/**
 * Run every case once a round, in an order that turns from round to round: what disturbs the machine for a while
 * disturbs all of them, and none always follows the same other.
 */
export async function interleaved(cases: readonly Case[], { rounds, onStep, signal }: Pace): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < cases.length; at++) {
      const one = cases[(at + round) % cases.length] as Case;
      signal.throwIfAborted();
      onStep(`${one.name}, round ${round + 1} of ${rounds}`);
      await one.run(round);
    }
  }
}
