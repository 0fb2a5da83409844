import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ServerProcess, until } from './server-process.ts';

interface Change {
  readonly kind: 'insert' | 'change' | 'delete';
  readonly oid: string;
  readonly lsn: number;
}

interface Message {
  readonly view: string;
  readonly changes: readonly Change[];
}

/** A receiver of webhooks: stores the last change of each object in each view. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received = new Map<string, Map<string, Change>>();
  messages = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.#take(JSON.parse(Buffer.concat(chunks).toString()) as Message);
        response.end();
      });
    });
    const receiver = new WebhookReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** When everything has been sent, the receiver knows which objects are in the view and which have left it. */
  async judge(broker: ServerProcess, view: string): Promise<void> {
    await until(
      `view ${view} to be sent`,
      async () => ({
        view: (await broker.ask(`/views/${view}`)) as { readonly lsn: number; readonly filled: boolean },
        hooks: (await broker.ask(`/views/${view}/webhooks`)) as {
          readonly webhooks: readonly { readonly sentUpTo: number | null }[];
        },
      }),
      (now) => now.view.filled && now.hooks.webhooks[0]?.sentUpTo === now.view.lsn,
    );
    const received = this.received.get(view) ?? new Map<string, Change>();
    const listed = new Map<string, Change>();
    for (let since: string | undefined; ; ) {
      const at = since === undefined ? '' : `&since=${since}`;
      const page = (await broker.ask(`/views/${view}/changes?limit=100${at}`)) as {
        readonly changes: readonly Change[];
        readonly more: boolean;
        readonly since: string;
      };
      for (const change of page.changes) listed.set(change.oid, change);
      since = page.since;
      if (!page.more) break;
    }
    // A refresh moves an object in the log and is not sent.
    const text = ({ oid, kind }: Change) => `${oid} ${kind === 'delete' ? 'left' : 'is in'}`;
    const sorted = (changes: Map<string, Change>) => [...changes.values()].map(text).sort();
    // Objects that came and went between messages are listed only with their last change, and forgotten deletions
    // were sent once.
    const known = new Map([...received].filter(([oid, { kind }]) => kind !== 'delete' || listed.has(oid)));
    assert.deepEqual(sorted(known), sorted(listed), 'the receiver of the webhook knows the view');
  }

  #take({ view, changes }: Message): void {
    this.messages++;
    const received = this.received.get(view) ?? new Map<string, Change>();
    this.received.set(view, received);
    for (const change of changes) received.set(change.oid, change);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
