import type { Row, Skipped } from './results.ts';

/** One repeated measurement. */
export interface Case {
  readonly name: string;
  readonly run: (round: number) => void | Promise<void>;
}

export interface Pace {
  readonly rounds: number;
  /** Called with the name of each measurement before it starts. */
  readonly onStep: (step: string) => void;
  /** Stops the run between two measurements. */
  readonly signal: AbortSignal;
}

export interface RunOptions extends Pace {
  /** Smaller input and fewer repetitions: to check that it works, not to compare. */
  readonly quick: boolean;
}

export interface Measured {
  /** The input, one sentence each. */
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
 * Run every case once a round, in an order that rotates from round to round: a temporary disturbance of the machine
 * affects all of them, and no case always follows the same other case.
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
