import type { Oid } from '../../soif/index.ts';

/** What may be done to a Broker through its classic port; what is absent cannot be done there. */
export interface ClassicAdministration {
  /** Whether this is a token that may administer; takes the same time for every word. */
  authorise(password: string): boolean;
  /** Begin a round with every source. */
  collect?(): void;
  /** Index what is not indexed yet; resolves when that is done. */
  indexChanges?(): Promise<void>;
  /** Begin to make the index anew. */
  indexAnew?(): Promise<void>;
  /** Forget what has outlived its time-to-live; resolves to how many objects went. */
  clean?(): Promise<number>;
  /** Delete these objects, for the administrator who is named in the audit; resolves to how many there were. */
  remove?(oids: readonly Oid[]): Promise<number>;
  /** Figures, a name and a value each. */
  statistics?(): Promise<readonly (readonly [string, string | number])[]>;
}

/** What a command needs beside the administration. */
export interface ClassicCommandInput {
  readonly argument: string;
  /** Objects that a query of the original's grammar matches. */
  matching(query: string): Promise<readonly Oid[]>;
  /** The objects of a URL, or of an OID: these and no others. */
  named(text: string): Promise<readonly Oid[]>;
}

type Answer = readonly string[];
type Command = (admin: ClassicAdministration, input: ClassicCommandInput) => Promise<Answer | undefined>;

async function removed(
  admin: ClassicAdministration,
  oids: Promise<readonly Oid[]>,
): Promise<Answer | undefined> {
  const found = await oids;
  return admin.remove && [`${await admin.remove(found)} objects removed`];
}

/** The original's commands that a Broker of today can follow; the others are known and refused. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'collection',
    async (admin) => {
      admin.collect?.();
      return admin.collect && ['collection started'];
    },
  ],
  [
    'incremental-index',
    async (admin) => {
      await admin.indexChanges?.();
      return admin.indexChanges && ['everything is indexed'];
    },
  ],
  [
    'full-index',
    async (admin) => {
      await admin.indexAnew?.();
      return admin.indexAnew && ['the index is being made anew'];
    },
  ],
  [
    'clean-broker',
    async (admin) => (admin.clean === undefined ? undefined : [`${await admin.clean()} objects had expired`]),
  ],
  ['do-stats', async (admin) => (await admin.statistics?.())?.map(([name, value]) => `${name}: ${value}`)],
  ['rem-object-query', (admin, { argument, matching }) => removed(admin, matching(argument))],
  ['rem-object-path', (admin, { argument, named }) => removed(admin, named(argument))],
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
  const done = await known(admin, input);
  return done === undefined ? { refused: `#${command} is not done here` } : { done };
}
