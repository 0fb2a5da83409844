import type { Clock } from '../../kernel/index.ts';
import type { AccessQuestion } from '../doors/index.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export interface AskedRulesOptions {
  readonly isOpen: boolean;
  readonly clock: Clock;
  tell(message: FromWorker): void;
}

/** How long an answer counts, and how many are kept. */
const knownMs = 1_000;
const mostKnown = 4_096;

/** Access as the process with the store decides it. */
export class RemoteAccessRules {
  readonly #options: AskedRulesOptions;
  readonly #known = new Map<
    string,
    { readonly untilMs: number; readonly admitted: Promise<boolean> | boolean }
  >();
  readonly #asked = new Map<number, (admitted: boolean) => void>();
  #last = 0;

  constructor(options: AskedRulesOptions) {
    this.#options = options;
  }

  admits(question: AccessQuestion, form: 'accelerator' | 'proxy'): boolean | Promise<boolean> {
    const { isOpen, clock, tell } = this.#options;
    if (isOpen && form === 'accelerator') return true;
    const { from, method, host, port } = question;
    const key = `${from} ${method} ${host} ${port} ${form}`;
    const now = clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && now < known.untilMs) return known.admitted;
    if (this.#known.size >= mostKnown) this.#known.clear();
    // Whoever has too much to ask asks the slow way.
    if (this.#asked.size >= mostKnown) return false;
    const number = ++this.#last;
    const admitted = new Promise<boolean>((resolve) => this.#asked.set(number, resolve));
    this.#known.set(key, { untilMs: now + knownMs, admitted });
    void admitted.then((told) => this.#known.set(key, { untilMs: now + knownMs, admitted: told }));
    tell({ is: 'ask', question: number, access: { from, method, host, port, form } });
    return admitted;
  }

  heard({ question, admitted }: ToWorker & { readonly is: 'access' }): void {
    this.#asked.get(question)?.(admitted);
    this.#asked.delete(question);
  }
}
