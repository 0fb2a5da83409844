import { failure } from '../kernel/index.ts';
import { cliErrors } from './errors.ts';

/** What `watchInterrupts` needs of the process. */
export interface InterruptSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  removeListener(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

/** Exit status of a command that was interrupted. */
export const interruptedExit = 130;

export interface Interrupts extends Disposable {
  /** Aborted at the first Ctrl-C or SIGTERM, with a CLI_INTERRUPTED error as its reason. */
  readonly signal: AbortSignal;
  readonly isInterrupted: boolean;
}

/**
 * Ctrl-C or SIGTERM once asks the command to finish what it holds and save; a second one ends the process at once with
 * status 130. Disposing gives the signals back.
 */
export function watchInterrupts(source: InterruptSource, onFirst: () => void = () => {}): Interrupts {
  const controller = new AbortController();
  const listener = () => {
    if (controller.signal.aborted) {
      source.exit(interruptedExit);
      return;
    }
    onFirst();
    controller.abort(failure(cliErrors.CLI_INTERRUPTED, {}));
  };
  source.on('SIGINT', listener);
  source.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    get isInterrupted() {
      return controller.signal.aborted;
    },
    [Symbol.dispose]: () => {
      source.removeListener('SIGINT', listener);
      source.removeListener('SIGTERM', listener);
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
