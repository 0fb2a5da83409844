import type { Clock } from '../kernel/index.ts';

/** A server that answers nothing for this long is asked whether it answers at all, and has as long for that. */
export const patienceMs = 30_000;

/**
 * Watch a server during one call, which may take as long as its work does. Resolves to true when the server answers
 * nothing any more, and to false when `ended` aborts. `ask` sends the server some other question.
 */
export async function fallsSilent(
  ask: (signal: AbortSignal) => Promise<unknown>,
  clock: Clock,
  ended: AbortSignal,
): Promise<boolean> {
  for (;;) {
    if (!(await hasPassed(clock, ended))) return false;
    const answered = new AbortController();
    const isOver = AbortSignal.any([ended, answered.signal]);
    const isLate = hasPassed(clock, isOver);
    const question = new AbortController();
    // A refusal is no silence: a server that is ending takes no new connection, and completes the call.
    void ask(AbortSignal.any([ended, question.signal])).then(
      () => answered.abort(),
      () => answered.abort(),
    );
    if (await isLate) {
      question.abort();
      return true;
    }
  }
}

/** Whether the time passes before the signal aborts. */
const hasPassed = (clock: Clock, signal: AbortSignal): Promise<boolean> =>
  clock.sleep(patienceMs, signal).then(
    () => true,
    () => false,
  );
