import type { Caller } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import { readClassicQuery } from './classic-query.ts';

/** What may be done to a Broker through its classic port, each by the caller whose token was shown. */
export interface ClassicAdministration {
  /** Whose token this is, when it may administer; a wrong one is answered ever later. */
  authorise(password: string): Promise<Caller | undefined>;
  /** Begin a round with every source. */
  collect(caller: Caller): void;
  /** Index what is not indexed yet; resolves when that is done. */
  indexChanges(): Promise<void>;
  /** Begin to make the index anew. */
  reindex(caller: Caller): Promise<void>;
  /** Forget what has outlived its time-to-live; resolves to how many objects went. */
  clean(caller: Caller): Promise<number>;
  /** Delete these objects; resolves to how many there were. */
  remove(caller: Caller, oids: readonly Oid[]): Promise<number>;
  /** Delete what matches a query of our own language, which must mean what it says; resolves to how many there were. */
  removeMatching(caller: Caller, query: string): Promise<number>;
  /** Figures, a name and a value each. */
  statistics(): Promise<readonly (readonly [string, string | number])[]>;
}

/** What a command needs beside the administration. */
export interface ClassicCommandInput {
  readonly caller: Caller;
  readonly argument: string;
  /** The objects of a URL, or of an OID: these and no others. */
  named(text: string): Promise<readonly Oid[]>;
}

type Answer = readonly string[];
type Command = (admin: ClassicAdministration, input: ClassicCommandInput) => Promise<Answer>;

const wholeWords = { isCaseSensitive: false, wholeWords: true, errors: 0 } as const;

async function removeMatching(
  admin: ClassicAdministration,
  { caller, argument }: ClassicCommandInput,
): Promise<Answer> {
  const { query, problem } = readClassicQuery(argument, wholeWords);
  if (problem !== undefined) throw failure(brokerErrors.BROKER_DELETE_QUERY, { problem });
  return [`${await admin.removeMatching(caller, query)} objects removed`];
}

/** The original's commands that a Broker of today can follow; the others are known and refused. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'collection',
    async (admin, { caller }) => {
      admin.collect(caller);
      return ['collection started'];
    },
  ],
  [
    'incremental-index',
    async (admin) => {
      await admin.indexChanges();
      return ['everything is indexed'];
    },
  ],
  [
    'full-index',
    async (admin, { caller }) => {
      await admin.reindex(caller);
      return ['the index is being made anew'];
    },
  ],
  ['clean-broker', async (admin, { caller }) => [`${await admin.clean(caller)} objects had expired`]],
  ['do-stats', async (admin) => (await admin.statistics()).map(([name, value]) => `${name}: ${value}`)],
  ['rem-object-query', removeMatching],
  [
    'rem-object-path',
    async (admin, { caller, argument, named }) => [
      `${await admin.remove(caller, await named(argument))} objects removed`,
    ],
  ],
]);

/** Commands that change the process or its logs: what starts and stops it is not for a line without encryption. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['add-log', 'rem-log', 'open-log', 'close-log', 'flush-log', 'rotate-log'],
  ...['add-object', 'set', 'restart', 'shutdown'],
]);

/** Follow a command. Resolves to lines to be told, or to why it was not followed. */
export async function administer(
  admin: ClassicAdministration,
  command: string,
  input: ClassicCommandInput,
): Promise<{ readonly done: Answer } | { readonly refused: string }> {
  const known = commands.get(command);
  if (known === undefined)
    return { refused: elsewhere.has(command) ? `#${command} is not done here` : `#${command} is unknown` };
  if (command.startsWith('rem-') && input.argument === '') return { refused: `#${command} names nothing` };
  return { done: await known(admin, input) };
}
