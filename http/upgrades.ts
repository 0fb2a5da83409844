import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure, type Sender } from '../kernel/index.ts';
import type { Admission } from './admission.ts';
import { httpErrors } from './errors.ts';
import { requestFailed } from './events.ts';
import { answerRaw } from './raw-answer.ts';

/** Takes over connections that leave HTTP at this path (the wire). It authenticates its callers itself. */
export interface Upgrade {
  /** Exact path, without query string. */
  readonly path: string;
  /** With `any` the taker judges a page's Origin; by default only this server's own pages are admitted. */
  readonly origins?: 'own' | 'any';
  handle(request: IncomingMessage, socket: Duplex, head: Buffer, sender: Sender): void;
}

/** Passes upgrades to their takers and lists every connection that left HTTP. */
export class Upgrades {
  readonly #takers = new Map<string, Upgrade>();
  readonly #admission: Admission;
  readonly #sockets = new Set<Duplex>();

  /** Throws TypeError when two takers claim one path. */
  constructor(upgrades: readonly Upgrade[], admission: Admission) {
    for (const upgrade of upgrades) {
      if (this.#takers.has(upgrade.path)) throw new TypeError(`two upgrades at ${upgrade.path}`);
      this.#takers.set(upgrade.path, upgrade);
    }
    this.#admission = admission;
  }

  /** Pass one connection on; an unknown path gets 404, a wrong host 421, a foreign page 403. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node leaves the socket without a listener here: its error would end the process.
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const taker = this.#takers.get(path);
    const refusal = this.#admission.refuseUpgrade(request, taker?.origins === 'any');
    if (taker === undefined || refusal !== undefined) {
      answerRaw(socket, refusal ?? failure(httpErrors.HTTP_NOT_FOUND, {}));
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // From here the taker decides how long a connection may be silent.
    if ('setTimeout' in socket && typeof socket.setTimeout === 'function') socket.setTimeout(0);
    try {
      taker.handle(request, socket, head, this.#admission.sender(request));
    } catch (error) {
      requestFailed.publish({ method: 'GET', route: taker.path, error });
      answerRaw(socket, failure(httpErrors.HTTP_INTERNAL, {}, error));
    }
  }

  /** Cut every connection that left HTTP; their owners had time to finish before. */
  closeAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
