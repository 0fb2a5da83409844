import { failure } from '../../kernel/index.ts';
import { cliErrors } from '../config/errors.ts';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface InterruptSource {
  on(signal: Signal, listener: () => void): unknown;
  removeListener(signal: Signal, listener: () => void): unknown;
  exit(code: number): void;
  /** Whether it was started on a terminal, whose end SIGHUP signals; elsewhere SIGHUP asks servers to reload. */
  readonly hasTerminal?: boolean;
}

export const interruptedExit = 130;

export interface Interrupts extends Disposable {
  /** Aborted at the first Ctrl-C or SIGTERM, with a CLI_INTERRUPTED error as its reason. */
  readonly signal: AbortSignal;
  readonly isInterrupted: boolean;
  /** Away from a terminal SIGHUP calls `reload` from now on. */
  whenHungUp(reload: () => void): void;
}

/**
 * The first Ctrl-C or SIGTERM asks the command to finish its current work and save; a second one ends the process at
 * once with status 130. SIGHUP without something to reload counts as a first one only: when a terminal ends, the
 * terminal and the shell both send it. Disposing gives the signals back.
 */
export function watchInterrupts(source: InterruptSource, onFirst: () => void = () => {}): Interrupts {
  const controller = new AbortController();
  let reload: (() => void) | undefined;
  const first = () => {
    onFirst();
    controller.abort(failure(cliErrors.CLI_INTERRUPTED, {}));
  };
  const listener = () => {
    if (controller.signal.aborted) source.exit(interruptedExit);
    else first();
  };
  const hungUp = () => {
    if (controller.signal.aborted) return;
    if (reload !== undefined && source.hasTerminal !== true) reload();
    else first();
  };
  source.on('SIGINT', listener);
  source.on('SIGTERM', listener);
  source.on('SIGHUP', hungUp);
  return {
    signal: controller.signal,
    get isInterrupted() {
      return controller.signal.aborted;
    },
    whenHungUp: (call) => {
      reload = call;
    },
    [Symbol.dispose]: () => {
      source.removeListener('SIGINT', listener);
      source.removeListener('SIGTERM', listener);
      source.removeListener('SIGHUP', hungUp);
    },
  };
}

/** The value of `work`; rejects with the signal's reason as soon as that is aborted, and leaves the work running. */
export async function orInterrupted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  // The race listens to the work first, so that its later rejection is not an unhandled one.
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
