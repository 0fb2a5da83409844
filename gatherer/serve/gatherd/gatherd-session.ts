import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { isGarnerError } from '../../../kernel/index.ts';
import type { LineConnection } from '../../../line-protocol/index.ts';
import { printObject, type SummaryObject } from '../../../soif/index.ts';
import type { ClassicSource } from './classic-store.ts';
import { gatherdFault } from './events.ts';

// The protocol of Harvest 1.4 and its clients (src/gatherer/gatherd/NOTES; ROADS): a command on a line, and status
// lines of three digits before and after the transferred data: 000 or 400 begins, 099 or 499 ends. A failed command is
// answered only by the end line. A compressed transfer is one gzip member between the two plain lines.

/** Max line; a URL may replace an OID. */
const maxLine = 9 * 1024;
const maxWord = 300;

interface Command {
  readonly usage: string;
  readonly does: string;
  run(session: GatherdSession, argument: string): Promise<void>;
}

const commands: ReadonlyMap<string, Command> = new Map([
  [
    'HELLO',
    {
      usage: 'HELLO <hostname>',
      does: 'greet',
      run: (session, argument) =>
        session.say(`000 - HELLO ${printable(argument) || 'you'}, pleased to meet you`),
    },
  ],
  ['HELP', { usage: 'HELP', does: 'list the commands', run: (session) => session.help() }],
  [
    'INFO',
    {
      usage: 'INFO',
      does: 'describe this Gatherer',
      run: (session) =>
        session.transfer('INFO', async () => ({
          what: 'the Gatherer',
          data: one(await session.source.info()),
        })),
    },
  ],
  [
    'SEND-OBJECT',
    {
      usage: 'SEND-OBJECT <oid>',
      does: 'send one object description',
      run: (session, argument) =>
        session.transfer('SEND-OBJECT', async () => {
          const object = argument === '' ? undefined : await session.source.object(argument);
          return object === undefined ? 'no such object' : { what: 'one object', data: one(object) };
        }),
    },
  ],
  [
    'SEND-UPDATE',
    {
      usage: 'SEND-UPDATE <timestamp>',
      does: 'send changes since a time in seconds since 1970; 0 for everything',
      run: (session, argument) => session.update(argument),
    },
  ],
  [
    'SET',
    {
      usage: 'SET compression',
      does: 'compress the following transfers with gzip',
      run: (session, argument) => session.set(argument),
    },
  ],
  ['QUIT', { usage: 'QUIT', does: 'end the connection', run: (session) => session.quit() }],
]);

/** The data of a transfer; `packed`: it is gzip already. */
interface Transfer {
  readonly what: string;
  readonly data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly packed?: boolean;
}

/** One conversation with a collector, from the greeting to its end. */
export class GatherdSession {
  readonly source: ClassicSource;
  readonly #connection: LineConnection;
  readonly #name: string;
  #compressed = false;
  #open = true;
  #commands = 0;

  constructor(connection: LineConnection, source: ClassicSource, name: string) {
    this.#connection = connection;
    this.source = source;
    this.#name = printable(name);
  }

  /** Commands answered so far. */
  get commands(): number {
    return this.#commands;
  }

  /** Answer commands until QUIT or the end of input. Throws when the connection breaks or stalls. */
  async run(): Promise<void> {
    await this.say(`000 - HELLO ${this.#name}`);
    while (this.#open) {
      const line = await this.#connection.until([10], maxLine);
      if (line === undefined) return;
      await this.#answer(line.toString('latin1').trim());
    }
  }

  say(line: string): Promise<void> {
    return this.#connection.send(`${line}\n`);
  }

  async help(): Promise<void> {
    await this.say('000 - Commands:');
    for (const { usage, does } of commands.values()) await this.say(`${usage.padEnd(24)} ${does}`);
    await this.say('099 - End of HELP');
  }

  async set(argument: string): Promise<void> {
    if (argument.toLowerCase() !== 'compression') return this.say('099 - ERROR: only compression can be set');
    this.#compressed = true;
    await this.say('000 - Compression is on');
  }

  async quit(): Promise<void> {
    this.#open = false;
    await this.say('000 - Goodbye');
  }

  async update(argument: string): Promise<void> {
    if (!/^\d{1,12}$/.test(argument)) return this.say('499 - ERROR: give a time in seconds since 1970');
    const since = Number(argument);
    await this.transfer('SEND-UPDATE', async () => {
      const { objects } = await this.source.state();
      const what = since === 0 ? `all of ${objects} objects` : `changes since ${since}`;
      const ready = since === 0 && this.#compressed ? await this.source.everything?.() : undefined;
      if (ready !== undefined) return { what, data: ready, packed: true };
      return { what, data: this.source.updates(since) };
    });
  }

  /** Send the data of `prepare` between the two lines; a text instead is the reason why there is none. */
  async transfer(command: string, prepare: () => Promise<Transfer | string>): Promise<void> {
    let data: AsyncIterator<Uint8Array> | undefined;
    try {
      let first: IteratorResult<Uint8Array>;
      let what: string;
      try {
        const prepared = await prepare();
        if (typeof prepared === 'string') return await this.say(`499 - ERROR: ${prepared}`);
        what = prepared.what;
        data = iteratorOf(
          this.#compressed && prepared.packed !== true ? gzipped(prepared.data) : prepared.data,
        );
        // An immediate failure is still answered by a line.
        first = await data.next();
      } catch (error) {
        gatherdFault.publish({ command, error });
        const reason =
          isGarnerError(error) && error.status < 500 ? printable(error.message) : 'the Gatherer failed';
        return await this.say(`499 - ERROR: ${reason}`);
      }
      await this.say(`400 - Sending ${what}`);
      const before = this.#connection.sent;
      for (let next = first; next.done !== true; next = await pulled(data, command))
        await this.#connection.send(next.value);
      await this.say(`499 - Sent ${this.#connection.sent - before} bytes`);
    } finally {
      await data?.return?.();
    }
  }

  async #answer(line: string): Promise<void> {
    if (line === '') return;
    const [word = '', ...rest] = line.split(/\s+/);
    const command = commands.get(word.toUpperCase());
    this.#commands++;
    if (command === undefined) await this.say('099 - ERROR: unknown command; HELP lists them');
    else await command.run(this, rest.join(' '));
  }
}

function* one(object: SummaryObject): Iterable<Uint8Array> {
  yield printObject(object);
}

/** During a transfer there is no line for a fault: the connection breaks, and the client sees a cut transfer. */
async function pulled(data: AsyncIterator<Uint8Array>, command: string): Promise<IteratorResult<Uint8Array>> {
  try {
    return await data.next();
  } catch (error) {
    gatherdFault.publish({ command, error });
    throw error;
  }
}

function gzipped(data: Transfer['data']): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 6 });
  // The reader gets the error; a reader that stops ends the source too.
  pipeline(Readable.from(data, { objectMode: false }), gzip, () => undefined);
  return gzip;
}

function iteratorOf(data: Transfer['data']): AsyncIterator<Uint8Array> {
  return (async function* () {
    yield* data;
  })();
}

/** Text without line ends and control characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, maxWord);
}
