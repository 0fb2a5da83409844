import { createInterface } from 'node:readline/promises';

/** Ask the person at the terminal for one line. Rejects when the signal aborts; empty when the input has ended. */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  // Without readline's own terminal mode Ctrl-C is still a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
    // An open input would keep the process alive.
    process.stdin.unref();
  }
}
