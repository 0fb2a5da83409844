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
