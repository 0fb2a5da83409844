import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock, Random } from '../kernel/index.ts';

/** A session of the administration page. */
export interface AdminSession {
  /** Of the token it was opened with; looked up again at each request, so that a removed one counts no more. */
  readonly tokenHash: Buffer;
  /** Stands in every form of the page: another site's form does not have it. */
  readonly formKey: string;
  /** The message for the next page, shown once. */
  news: unknown;
}

interface Row extends AdminSession {
  readonly openedAt: number;
  usedAt: number;
}

/** Sessions open at once; the one that was used least lately goes. */
const maxSessions = 64;

/** A session ends so long after its last request, and so long after it was opened; milliseconds. */
const idleMs = 30 * 60_000;
const maxMs = 12 * 3_600_000;

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Sessions of people who have logged in with a token; in memory only, so that a restart ends them. */
export class AdminSessions {
  readonly #clock: Clock;
  readonly #random: Random;
  /** By the hash of what the cookie holds. */
  readonly #rows = new Map<string, Row>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Open a session; resolves to what the cookie holds. */
  open(tokenHash: Buffer): string {
    const now = this.#clock.now();
    const id = this.#secret();
    this.#rows.set(hashed(id), {
      ...{ tokenHash, formKey: this.#secret(), news: undefined },
      ...{ openedAt: now, usedAt: now },
    });
    for (const [key, row] of this.#rows) if (this.#isOver(row)) this.#rows.delete(key);
    const [oldest] = [...this.#rows].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (this.#rows.size > maxSessions && oldest !== undefined) this.#rows.delete(oldest[0]);
    return id;
  }

  /** The session of a cookie, unless it is over. */
  find(id: string | undefined): AdminSession | undefined {
    const row = id === undefined ? undefined : this.#rows.get(hashed(id));
    if (row === undefined || this.#isOver(row)) return undefined;
    row.usedAt = this.#clock.now();
    return row;
  }

  close(id: string | undefined): void {
    if (id !== undefined) this.#rows.delete(hashed(id));
  }

  #isOver({ openedAt, usedAt }: Row): boolean {
    const now = this.#clock.now();
    return now - usedAt > idleMs || now - openedAt > maxMs;
  }

  #secret(): string {
    return Buffer.from(this.#random.bytes(24)).toString('base64url');
  }
}

/** Whether a form has the key of its session, compared in constant time. */
export function hasFormKey(session: AdminSession, shown: string): boolean {
  return timingSafeEqual(Buffer.from(hashed(session.formKey)), Buffer.from(hashed(shown)));
}
