import { httpErrors } from '../../http/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import type { LineConnection } from '../../line-protocol/index.ts';
import {
  type Attribute,
  Attributes,
  attributeText,
  baseName,
  isOid,
  type Oid,
  type SummaryObject,
} from '../../soif/index.ts';
import { administer, type ClassicAdministration } from './classic-admin.ts';
import { type ClassicFlags, type ClassicMessage, readClassicMessage } from './classic-message.ts';
import { classicQuery } from './classic-query.ts';
import { classicFault } from './events.ts';

// Replies as clients of the time read them (ROADS, harvest_shim.pl and harvest_centroid.pl): a banner `200 -
// ... Broker`; for each object `120 - URL`, lines 124 to 126, `127 - NAME LENGTH` with that many bytes on the
// next line, and `130 - object end`. Errors are 103 and 111. Each reply ends with the connection.

/** The port's view of a Broker. */
export interface ClassicBroker {
  readonly name: string;
  /** Objects that match a query of Garner's language, best first. */
  matches(query: string): Promise<Iterable<Oid>>;
  object(oid: Oid): Promise<SummaryObject | undefined>;
  matchedLines(object: SummaryObject, query: string): readonly string[];
  /** Objects that match as a SOIF stream. `since`, in seconds since 1970, limits it to later changes. */
  stream(query: string, since: number): AsyncIterable<Uint8Array>;
  readonly administration: ClassicAdministration;
}

/** Max bytes of a message: a query of maximum length, and flags. */
const maxLine = 16 * 1024;
const maxWords = 300;
/** Max objects shown by default, and at all. */
const maxUsual = 50;
const maxHighest = 10_000;
const lineEnd = 10;

/** One conversation: a banner, a message, its reply. */
export class ClassicSession {
  readonly #connection: LineConnection;
  readonly #broker: ClassicBroker;
  #request = '';

  constructor(connection: LineConnection, broker: ClassicBroker) {
    this.#connection = connection;
    this.#broker = broker;
  }

  /** USER, BULK, the name of a command, or an empty string. */
  get request(): string {
    return this.#request;
  }

  async run(): Promise<void> {
    await this.say(`200 - Garner Broker ${printable(this.#broker.name)}`);
    const line = await this.#message();
    if (line === undefined) return;
    const message = readClassicMessage(line);
    this.#request = message.kind === 'admin' ? message.command : message.kind.toUpperCase();
    try {
      await this.#answer(message);
    } catch (error) {
      // A lost connection is not a fault of the Broker.
      if (!isGarnerError(error)) throw error;
      const isGuess = isGarnerError(error, httpErrors.HTTP_GUESSING);
      if (!isGuess) classicFault.publish({ asked: this.#request, error });
      const problem = error.status < 500 || isGuess ? printable(error.message) : 'the Broker failed';
      await this.say(`111 - ERROR: ${problem}`);
    }
  }

  say(line: string): Promise<void> {
    return this.#connection.send(`${line}\n`);
  }

  /** The first line that is not empty. */
  async #message(): Promise<string | undefined> {
    for (let left = maxLine; ; ) {
      const bytes = await this.#connection.until([lineEnd], left);
      if (bytes === undefined) return undefined;
      left -= bytes.length;
      const line = bytes.toString('utf8').trim();
      if (line !== '') return line;
    }
  }

  async #answer(message: ClassicMessage): Promise<void> {
    if (message.kind === 'wrong') return this.say(`103 - ERROR: ${message.problem}`);
    if (message.kind === 'admin') return this.#administer(message);
    const query = classicQuery(message.query, message.flags);
    if (message.kind === 'user') return this.#user(query, message.flags);
    for await (const chunk of this.#broker.stream(query, message.flags.since))
      await this.#connection.send(chunk);
  }

  async #user(query: string, flags: ClassicFlags): Promise<void> {
    const max = Math.min(flags.max ?? maxUsual, maxHighest);
    let shown = 0;
    for (const oid of await this.#broker.matches(query)) {
      if (shown >= max) break;
      const object = await this.#broker.object(oid);
      if (object === undefined) continue;
      shown++;
      await this.#connection.send(Buffer.concat([...this.#objectReply(oid, object, query, flags)]));
    }
    await this.say(`200 - ${shown} objects`);
  }

  *#objectReply(
    oid: Oid,
    object: SummaryObject,
    query: string,
    { matchedLines, describe, attributes }: ClassicFlags,
  ): Iterable<Uint8Array> {
    const line = (text: string) => Buffer.from(`${text}\n`);
    yield line(`120 - ${printable(object.url, object.url.length)}`);
    if (matchedLines) {
      const lines = this.#broker.matchedLines(object, query);
      yield line(`124 - ${lines.length}`);
      // The leading space keeps the text from being read as a reply.
      for (const text of lines) yield line(` ${text.replace(/\p{Cc}+/gu, ' ')}`);
    }
    if (describe) yield line(`125 - ${description(object)}`);
    yield line(`126 - ${oid}`);
    for (const name of attributes)
      for (const { value } of valuesOf(object, name)) {
        yield line(`127 - ${name} ${value.length}`);
        yield value;
        yield line('');
      }
    yield line('130 - object end');
  }

  async #administer({ password, command, argument }: ClassicMessage & { kind: 'admin' }): Promise<void> {
    const { administration } = this.#broker;
    const caller = await administration.authorise(password);
    if (caller === undefined) return this.say('111 - ERROR: wrong password');
    const flags = { isCaseSensitive: false, wholeWords: true, errors: 0 } as const;
    const named = async (text: string) => {
      if (isOid(text)) return (await this.#broker.object(text)) === undefined ? [] : [text];
      const found: Oid[] = [];
      const query = classicQuery(`URL exact "${text.replace(/["\\]/g, '')}"`, flags);
      for (const oid of await this.#broker.matches(query))
        if ((await this.#broker.object(oid))?.url === text) found.push(oid);
      return found;
    };
    const outcome = await administer(administration, command, { caller, argument, named });
    if ('refused' in outcome) return this.say(`111 - ERROR: ${printable(outcome.refused)}`);
    for (const line of outcome.done) await this.say(`200 - ${printable(line)}`);
  }
}

/** Values of an attribute, and of its numbered forms. */
function valuesOf(object: SummaryObject, name: string): readonly Attribute[] {
  const wanted = name.toLowerCase();
  return object.attributes.filter(
    (attribute) => attribute.name.toLowerCase() === wanted || baseName(attribute.name) === wanted,
  );
}

function description(object: SummaryObject): string {
  const text = attributeText(object, Attributes.description) ?? attributeText(object, Attributes.title);
  return printable((text ?? '').replace(/\s+/g, ' ').trim());
}

/** Text without characters that would end its line. */
function printable(text: string, max = maxWords): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, max);
}
