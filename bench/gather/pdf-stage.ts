import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { interleaved } from '../harness/harness.ts';
import { cpuReported } from '../harness/timed-program.ts';
import { type GatherJob, gather } from './folder-job.ts';

const run = promisify(execFile);
const pdftotext = '/usr/bin/pdftotext';
const pdfinfo = '/usr/bin/pdfinfo';

const figures = ['pdfPages', 'pdfGarnerRate', 'pdfPeerRate', 'pdfTimes'] as const;

/** Copy every PDF below the folder, unpacked, to a separate folder, and count their pages with Debian's pdfinfo. */
async function collectPdfs(
  { root, census }: GatherJob,
  into: string,
): Promise<{ files: string[]; pages: number }> {
  const files: string[] = [];
  let pages = 0;
  for (const file of census.files.filter((name) => /\.pdf(\.gz)?$/i.test(name))) {
    const bytes = await readFile(join(root, file));
    const path = join(into, `${files.length}.pdf`);
    await writeFile(path, file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    const pagesText = await run(pdfinfo, [path]).then(
      ({ stdout }) => /^Pages:\s+(\d+)/m.exec(stdout)?.[1],
      () => undefined,
    );
    if (pagesText === undefined) {
      await rm(path);
      continue;
    }
    files.push(path);
    pages += Number(pagesText);
  }
  return { files, pages };
}

/** Extract the text of all PDFs with `garner gatherer run` and with Debian's pdftotext: pages a second of CPU. */
export async function pdfStage(job: GatherJob): Promise<void> {
  const { results, folder } = job;
  if (!existsSync(pdftotext) || !existsSync(pdfinfo))
    return results.skip(figures, 'SKIPPED, pdftotext is not installed (apt-get install poppler-utils)');
  const pdfs = join(folder, 'pdfs');
  const empty = join(folder, 'no-pdfs');
  await mkdir(pdfs);
  await mkdir(empty);
  const { files, pages } = await collectPdfs(job, pdfs);
  if (pages === 0) return results.skip(figures, 'SKIPPED, the folder holds no PDF');
  results.add('pdfPages', pages);
  const ours: number[] = [];
  const peers: number[] = [];
  await interleaved(
    [
      {
        name: `${files.length} PDF by Garner`,
        run: async () => {
          const data = join(folder, 'gathered-pdfs');
          await rm(data, { recursive: true, force: true });
          const { cpuSeconds } = await gather(job, pdfs, data, 'full');
          // Start-up does not depend on what is gathered.
          const { cpuSeconds: startUp } = await gather(job, empty, join(folder, 'gathered-no-pdfs'), 'full');
          ours.push(pages / (cpuSeconds - startUp));
          results.add('pdfGarnerRate', ours.at(-1) as number);
        },
      },
      {
        name: `${files.length} PDF by pdftotext`,
        run: async () => {
          const loop = 'TIMEFORMAT="CPU %U %S"; time for f in "$@"; do "$0" "$f" - >/dev/null 2>&1; done';
          const { stderr } = await run('/bin/bash', ['-c', loop, pdftotext, ...files], {
            env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
          });
          peers.push(pages / cpuReported(stderr));
          results.add('pdfPeerRate', peers.at(-1) as number);
        },
      },
    ],
    job,
  );
  for (const [round, rate] of ours.entries()) results.add('pdfTimes', (peers[round] as number) / rate);
  await rm(pdfs, { recursive: true });
}
