import type { Caller } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import { readClassicQuery } from './classic-query.ts';

/** Administration through the classic port. Each action names the caller whose token was sent. */
export interface ClassicAdministration {
  /** The caller of this token, when it may administer. Wrong tokens are answered after growing delays. */
  authorise(password: string): Promise<Caller | undefined>;
  collect(caller: Caller): void;
  /** Index all changes that are not indexed yet. Resolves when that is done. */
  indexChanges(): Promise<void>;
  reindex(caller: Caller): Promise<void>;
  /** Remove objects past their time-to-live. Resolves to their number. */
  clean(caller: Caller): Promise<number>;
  /** Delete these objects. Resolves to the number deleted. */
  remove(caller: Caller, oids: readonly Oid[]): Promise<number>;
  /** Delete the matches of a query of Garner's language without notes. Resolves to their number. */
  removeMatching(caller: Caller, query: string): Promise<number>;
  /** Figures, each a name and a value. */
  statistics(): Promise<readonly (readonly [string, string | number])[]>;
}

export interface ClassicCommandInput {
  readonly caller: Caller;
  readonly argument: string;
  /** Exactly the objects of a URL or of an OID. */
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

/** The original's commands that this Broker can execute. The others are known and refused. */
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
      return ['the index is being rebuilt'];
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

/** Commands for the process or its logs. They are not offered on a line without encryption. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['add-log', 'rem-log', 'open-log', 'close-log', 'flush-log', 'rotate-log'],
  ...['add-object', 'set', 'restart', 'shutdown'],
]);

/** Execute a command. Resolves to the lines of the reply, or to the reason of a refusal. */
export async function administer(
  admin: ClassicAdministration,
  command: string,
  input: ClassicCommandInput,
): Promise<{ readonly done: Answer } | { readonly refused: string }> {
  const known = commands.get(command);
  if (known === undefined)
    return { refused: elsewhere.has(command) ? `#${command} is not done here` : `#${command} is unknown` };
  if (command.startsWith('rem-') && input.argument === '')
    return { refused: `#${command} needs an argument` };
  return { done: await known(admin, input) };
}
