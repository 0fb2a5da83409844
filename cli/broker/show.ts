import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

interface Server {
  readonly serverId: string;
  readonly name: string | null;
}

interface Shown {
  readonly oid: string;
  readonly url: string;
  readonly templateType: string;
  readonly origin: {
    readonly publisher: Server;
    readonly path: readonly Server[];
    readonly sources: readonly Server[];
  } | null;
  readonly attributes: readonly {
    readonly name: string;
    readonly value?: string;
    readonly base64?: string;
  }[];
}

/** Lines after the first are marked, so that none looks like another attribute. */
const inOneValue = (value: string) => value.replace(/\n/g, '\n  | ');

/** `garner broker show`: one object and the servers on its path. */
export const brokerShow: Verb = {
  command: 'broker show <oid>',
  describe: 'Print an object with its origin and the servers on its path to this Broker',
  examples: [
    ['broker show BoodWSM0bEbyJgdjkY6uDQ3yQOeZLWdXgr0RqWwJn6o', 'an id from garner broker search --json'],
  ],
  positionals: { oid: 'Object identifier' },
  options: { data: dataOption },
  handler: async (run) => {
    const { askObject } = await import('./ask-broker.ts');
    const { terminalSafe, terminalSafeText } = await import('../text/output.ts');
    const shown = (await askObject(run, run.args.required('oid'))) as Shown;
    const named = ({ serverId, name }: Server) =>
      name === null ? terminalSafe(serverId) : `${terminalSafe(name)} (${terminalSafe(serverId)})`;
    await run.output.result(shown, ({ oid, url, origin, attributes }) =>
      [
        `  url       ${terminalSafe(url)}`,
        `  oid       ${terminalSafe(oid)}`,
        ...(origin === null
          ? []
          : [
              `  origin    ${named(origin.publisher)}`,
              `  path      ${[...origin.path.map(named), 'this Broker'].join(' > ')}`,
              ...origin.sources.slice(1).map((source) => `  also from ${named(source)}`),
            ]),
        '',
        ...attributes.map(
          ({ name, value, base64 }) =>
            `${terminalSafe(name)}: ${inOneValue(terminalSafeText(value ?? `(base64) ${base64 ?? ''}`))}`,
        ),
      ].join('\n'),
    );
  },
};
