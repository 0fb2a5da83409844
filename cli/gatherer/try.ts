import type { TryReport } from '../../gatherer/index.ts';
import type { Verb } from '../command/verb.ts';

/** Max characters of a printed value. `--json` prints values whole. */
const shownCharacters = 300;

/** `garner gatherer try`: show how one file is processed. */
export const gathererTry: Verb = {
  command: 'gatherer try <file>',
  describe: 'Show how one file is processed: its type, the documents in it, and its summaries',
  examples: [
    ['gatherer try report.pdf', 'its type, each stage, and the attributes'],
    ['gatherer try all.tar.gz --json', 'the same as JSON, with whole values'],
    ['gatherer try - --as report.pdf', 'standard input, under this name'],
  ],
  positionals: { file: 'File, its file: URL, or - for standard input; nothing is stored' },
  options: {
    as: { kind: 'text', describe: 'Name of the document; default: that of the file, or the end of --url' },
    url: { kind: 'text', describe: 'URL of the document; default: the file: URL of the file' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  shownSettings: [
    'gatherer.text',
    'gatherer.stop',
    'gatherer.allow',
    'gatherer.explode',
    'gatherer.source-distributions',
  ],
  handler: async (run) => {
    const { tryPlace } = await import('./try-place.ts');
    const { readPlan, threadBounds, tryDocument } = await import('../../gatherer/index.ts');
    const { readInputDocument } = await import('../config/input-file.ts');
    const { terminalSafeText } = await import('../text/output.ts');
    const given = run.args.required('file');
    const place = tryPlace({ file: given, as: run.args.text('as'), url: run.args.text('url') }, run.cwd);
    const config = await run.config();
    const max = config.bytes('gatherer.max-document-bytes');
    const document = { ...place, ...(await readInputDocument(given, run.cwd, max)) };
    const report = await tryDocument(document, await readPlan(config), threadBounds(config));
    await run.output.result(report, () => terminalSafeText(tryLines(report)));
  },
};

function tryLines(report: TryReport): string {
  const lines = report.stages.map(
    ({ stage, part, result }) => `  ${stage.padEnd(10)} ${part === '' ? '' : `${part}: `}${result}`,
  );
  const refused = report.refused.map(({ part, code, reason }) =>
    code === 'GATHERER_GIVEN_UP' ? `  given up   ${reason}` : `  left packed ${part}: ${reason}`,
  );
  const objects = report.objects.flatMap(({ url, attributes }) => [
    '',
    `@FILE { ${url}`,
    ...Object.entries(attributes).map(([name, value]) => `${name}:\t${shortened(value)}`),
    '}',
  ]);
  return [...lines, ...refused, ...objects].join('\n');
}

function shortened(value: string): string {
  const line = value.replace(/\s+/g, ' ');
  return line.length <= shownCharacters
    ? line
    : `${line.slice(0, shownCharacters)} ... (${value.length} characters)`;
}
