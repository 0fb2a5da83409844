import { failure } from '../../kernel/index.ts';
import { cliErrors } from '../config/errors.ts';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What `watchInterrupts` needs of the process. */
export interface InterruptSource {
  on(signal: Signal, listener: () => void): unknown;
  removeListener(signal: Signal, listener: () => void): unknown;
  exit(code: number): void;
  /** Whether it was started on a terminal, whose end SIGHUP tells; elsewhere that signal asks servers to read anew. */
  readonly hasTerminal?: boolean;
}

/** Exit status of a command that was interrupted. */
export const interruptedExit = 130;

export interface Interrupts extends Disposable {
  /** Aborted at the first Ctrl-C or SIGTERM, with a CLI_INTERRUPTED error as its reason. */
  readonly signal: AbortSignal;
  readonly isInterrupted: boolean;
  /** Away from a terminal SIGHUP calls `reload` from now on. */
  whenHungUp(reload: () => void): void;
}

/**
 * Ctrl-C or SIGTERM once asks the command to finish what it holds and save; a second one ends the process at once with
 * status 130. So does SIGHUP where nothing is to be read anew; but it comes from the terminal and the shell at once when
 * both end, and ends nothing at once. Disposing gives the signals back.
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

/** What `work` resolves to; rejects with the signal's reason as soon as that is aborted, and lets the work be. */
export async function orInterrupted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  // Before anything is thrown the work is listened to: what it rejects with later is nobody's surprise.
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
