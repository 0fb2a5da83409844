import type { Clock } from '../../kernel/index.ts';
import type { AccessQuestion } from '../doors/index.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export interface RemoteAccessOptions {
  readonly isOpen: boolean;
  readonly clock: Clock;
  send(message: FromWorker): void;
}

/** The lifetime of an answer, and the max number of stored answers. */
const knownMs = 1_000;
const maxKnown = 4_096;

/** Access decisions of the process with the store. */
export class RemoteAccessRules {
  readonly #options: RemoteAccessOptions;
  readonly #known = new Map<
    string,
    { readonly untilMs: number; readonly admitted: Promise<boolean> | boolean }
  >();
  readonly #pending = new Map<number, (admitted: boolean) => void>();
  #last = 0;

  constructor(options: RemoteAccessOptions) {
    this.#options = options;
  }

  admits(question: AccessQuestion, form: 'accelerator' | 'proxy'): boolean | Promise<boolean> {
    const { isOpen, clock, send } = this.#options;
    if (isOpen && form === 'accelerator') return true;
    const { from, method, host, port } = question;
    const key = `${from} ${method} ${host} ${port} ${form}`;
    const now = clock.now();
    const known = this.#known.get(key);
    if (known !== undefined && now < known.untilMs) return known.admitted;
    if (this.#known.size >= maxKnown) this.#known.clear();
    // With too many pending questions the request takes the slow path.
    if (this.#pending.size >= maxKnown) return false;
    const number = ++this.#last;
    const admitted = new Promise<boolean>((resolve) => this.#pending.set(number, resolve));
    this.#known.set(key, { untilMs: now + knownMs, admitted });
    void admitted.then((decided) => this.#known.set(key, { untilMs: now + knownMs, admitted: decided }));
    send({ is: 'ask', question: number, access: { from, method, host, port, form } });
    return admitted;
  }

  heard({ question, admitted }: ToWorker & { readonly is: 'access' }): void {
    this.#pending.get(question)?.(admitted);
    this.#pending.delete(question);
  }
}
