import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endsWithUs } from '../harness/child.ts';
import { freePort, untilListening } from '../harness/peer-ports.ts';
import { runTimed } from '../harness/timed-program.ts';
import { documentationPages } from '../material/documentation.ts';
import { bytesBelow } from '../material/opened-broker.ts';
import { SphinxSession } from '../programs/sphinx-session.ts';
import { type IndexEngine, type IndexJob, part, timesOfRounds } from './engine.ts';
import { type IndexRow, type QueryTimes, type Way, ways } from './figures.ts';

const programs = { indexer: '/usr/bin/indexer', searchd: '/usr/bin/searchd' };

const joined: Readonly<Record<Way, (words: readonly string[]) => string>> = {
  or: (words) => words.join(' | '),
  and: (words) => words.join(' '),
  phrase: (words) => `"${words.join(' ')}"`,
};

const statement = (words: readonly string[], way: Way) =>
  `SELECT id FROM pages WHERE MATCH('${joined[way](words)}') LIMIT 10`;

async function writeInput(job: IndexJob, port: number): Promise<string> {
  const input = join(job.folder, 'pages.tsv');
  await using out = await open(input, 'w');
  let number = 1;
  const plain = (text: string) => text.replaceAll(/[\t\n\r\0\\]/g, ' ');
  for await (const { title, text } of documentationPages(job.documentation.file))
    await out.write(`${number++}\t${plain(title)}\t${plain(text)}\n`);
  const config = join(job.folder, 'sphinx.conf');
  const index = join(job.folder, 'index');
  await mkdir(index);
  const lines = [
    'source pages {\n type = tsvpipe',
    ` tsvpipe_command = cat ${input}`,
    ' tsvpipe_field = title\n tsvpipe_field = text\n}',
    `index pages {\n source = pages\n path = ${index}/pages\n morphology = stem_en\n}`,
    'indexer {\n mem_limit = 256M\n max_file_field_buffer = 64M\n}',
    `searchd {\n listen = 127.0.0.1:${port}:mysql41\n log = ${job.folder}/log`,
    ` pid_file = ${job.folder}/pid\n binlog_path =\n}`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  return config;
}

async function measure(job: IndexJob): Promise<IndexRow> {
  const port = await freePort();
  const config = await writeInput(job, port);
  const { output, ...built } = await runTimed([programs.indexer, '--config', config, 'pages']);
  const indexBytes = await bytesBelow(join(job.folder, 'index'));
  const searchd = spawn(programs.searchd, ['--config', config, '--nodetach'], { stdio: 'ignore' });
  endsWithUs(searchd);
  const ended = once(searchd, 'close');
  try {
    await untilListening(port);
    using session = await SphinxSession.open(port);
    const rounds: QueryTimes[] = [];
    for (let round = 0; round <= job.rounds; round++) rounds.push(await ask(session, job));
    return {
      engine: 'sphinxsearch',
      ...versionIn(output),
      positions: true,
      ...{ buildSeconds: built.seconds, buildCpuSeconds: built.cpuSeconds, peakBytes: built.peakBytes },
      ...{ indexBytes, indexPart: part(indexBytes, job.documentation) },
      // The first round only warms up.
      queries: timesOfRounds(rounds.slice(1)),
      notes: ['stems; queried over a socket; a plain index has no updates'],
    };
  } finally {
    searchd.kill('SIGTERM');
    await ended;
  }
}

const versionIn = (output: string) => {
  const version = /Sphinx (\d+(?:\.\d+)+)/.exec(output)?.[1];
  return version === undefined ? {} : { version };
};

async function ask(session: SphinxSession, { queries }: IndexJob): Promise<QueryTimes> {
  const times: Partial<Record<Way, number[]>> = {};
  for (const way of ways) {
    const own: number[] = [];
    for (const words of queries[way]) {
      const started = performance.now();
      await session.query(statement(words, way));
      own.push(performance.now() - started);
    }
    times[way] = own;
  }
  return times;
}

export const sphinx: IndexEngine = {
  name: 'sphinxsearch',
  absent: () => (Object.values(programs).every(existsSync) ? undefined : 'apt-get install sphinxsearch'),
  measure,
};
