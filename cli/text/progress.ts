import type { Clock } from '../../kernel/index.ts';
import type { Output } from './output.ts';

const terminalIntervalMs = 100;
const plainIntervalMs = 5_000;

/** A progress line. Ending it clears the line. */
export interface Progress extends AsyncDisposable {
  /** End it; `last` stays as a plain line. */
  end(last?: string): Promise<void>;
}

/**
 * Show the line of `render` repeatedly: on a terminal one line that is repainted ten times a second, elsewhere a plain
 * line every five seconds when it has changed, nothing with `--quiet` or `--json`.
 */
export function startProgress(options: {
  readonly output: Output;
  readonly clock: Clock;
  /** One line, already safe for a terminal. */
  readonly render: () => string;
}): Progress {
  const { output, clock, render } = options;
  const stop = new AbortController();
  const running = output.json || output.quiet ? Promise.resolve() : show(stop.signal);

  async function show(signal: AbortSignal): Promise<void> {
    let said = '';
    while (!signal.aborted) {
      if (output.isInteractive) output.status(render());
      try {
        await clock.sleep(output.isInteractive ? terminalIntervalMs : plainIntervalMs, signal);
      } catch {
        return;
      }
      if (output.isInteractive) continue;
      const line = render();
      if (line !== said) output.note(line);
      said = line;
    }
  }

  const end = async (last?: string) => {
    if (stop.signal.aborted) return;
    stop.abort();
    await running;
    output.status('');
    if (last !== undefined) output.note(last);
  };
  return { end, [Symbol.asyncDispose]: () => end() };
}
