import type { Verb } from '../command/verb.ts';

/** Max objects of one request, and about how many bytes of SOIF. */
const [batchObjects, batchBytes] = [200, 512 * 1024];

/** `garner publish`: send SOIF files to a Broker, without a Gatherer. */
export const publishVerb: Verb = {
  command: 'publish <files..>',
  describe: 'Send the summaries of SOIF files to a Broker that takes them from a publisher',
  examples: [
    [
      'publish summaries.soif --to https://search.example.org --token-env HARBOUR_TOKEN',
      'publish or refresh them',
    ],
    ['publish old.soif --to https://search.example.org --token-env HARBOUR_TOKEN --withdraw', 'remove them'],
  ],
  positionals: { files: 'SOIF files, or - for standard input; .gz is unpacked' },
  options: {
    to: { kind: 'text', required: true, describe: 'http:// or https:// address of the Broker' },
    'token-env': {
      kind: 'text',
      required: true,
      describe: 'Environment variable with a write token of the Broker',
    },
    withdraw: { kind: 'flag', describe: 'Remove these summaries from the Broker' },
  },
  handler: async (run) => {
    const { HttpClient, userAgent } = await import('../../fetch/index.ts');
    const { failure, systemClock, systemRandom } = await import('../../kernel/index.ts');
    const { publishSoif } = await import('../../publication/index.ts');
    const { parseSoif, printStream } = await import('../../soif/index.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { readInput } = await import('../config/input-file.ts');
    const { version } = await import('../config/version.ts');
    const { count } = await import('../text/number-formats.ts');
    type Item = import('../../soif/index.ts').SoifItem;
    const { args, output, cwd, signal } = run;
    const [address, variable] = [args.required('to'), args.required('token-env')];
    const token = process.env[variable];
    if (!token)
      throw failure(cliErrors.CLI_USAGE, {
        problem: `the environment variable ${variable} is not set`,
        help: 'set it to the token; so no other user of this machine sees the token',
      });
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw failure(cliErrors.CLI_USAGE, {
        problem: `${address} is not the address of a Broker`,
        help: 'write it as http://127.0.0.1:8501 or https://search.example.org',
      });
    await using client = new HttpClient({
      ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
      ...{ allowHosts: [address], delayMs: 0 },
    });
    let [published, bytes] = [0, 0];
    let batch: Item[] = [];
    const send = async () => {
      if (batch.length === 0) return;
      const of = (name: Item['section']) =>
        batch.filter(({ section = 'update' }) => section === name).map(({ object }) => object);
      // Their URLs are enough.
      const all = batch.map(({ object }) => ({ ...object, attributes: [] }));
      const sections = args.flag('withdraw')
        ? { deletes: all }
        : { deletes: of('delete'), refreshes: of('refresh'), updates: of('update') };
      const soif: Uint8Array[] = [];
      for await (const chunk of printStream(sections)) soif.push(chunk);
      await publishSoif(address, Buffer.concat(soif), { fetch: client.fetch, signal, token });
      published += batch.length;
      [batch, bytes] = [[], 0];
    };
    for (const file of args.list('files'))
      for await (const item of parseSoif(readInput(file, cwd))) {
        const size = item.object.attributes.reduce((sum, { value }) => sum + value.length, 100);
        if (batch.length === batchObjects || bytes + size > batchBytes) await send();
        batch.push(item);
        bytes += size;
      }
    await send();
    await output.result(
      { published },
      () => `  ${count(published, 'summary', 'summaries')} sent to ${address}`,
    );
  },
};
