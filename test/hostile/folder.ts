// A folder with everything that a hostile or unlucky provider may have, with plain files among it.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { climbingTar, deepGzip, nestedZip, overlappingZip } from './archives.ts';
import {
  deepPage,
  longPage,
  pdfOfLoopingPages,
  pdfOfLoopingStreams,
  pdfOfLoopingTables,
} from './documents.ts';

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** A page with too many links for a thread with little memory. */
const manyLinks = () => Buffer.alloc(40 * mebibyte, '<a href="x?y">z</a> ');

/** Files by name, each with what makes its bytes. */
const documents: Readonly<Record<string, () => Uint8Array>> = {
  'overlapping.zip': overlappingZip,
  'nested.zip': nestedZip,
  'deep.gz': deepGzip,
  'climbing.tar': climbingTar,
  'pages.pdf': pdfOfLoopingPages,
  'tables.pdf': pdfOfLoopingTables,
  'streams.pdf': pdfOfLoopingStreams,
  'long.html': () => longPage(50 * mebibyte),
  'deep.html': () => deepPage(100_000),
  'links.html': manyLinks,
  'sleeping.hostile-sleeper': () => Buffer.from('It is summarised by a program that never ends.\n'),
  'talking.hostile-talker': () => Buffer.from('It is summarised by a program that prints for ever.\n'),
  'line\nbreak.txt': () => Buffer.from('Its name breaks the line.\n'),
  'bell\u0007\u001b[31m.txt': () => Buffer.from('Its name rings and is red.\n'),
  'changing.txt': () => Buffer.from('It is rewritten while it is read.\n'),
};

/** Number of plain files among them, which must always be gathered. */
export const plainFiles = 60;

/** The configuration that makes the programs for two types hostile too. */
export const hostileConfiguration = `
gatherer:
  document-time: 8s
  thread-memory: 96MiB
  threads: 2
  types-by-name:
    - { pattern: 'hostile-sleeper$', type: Sleeper }
    - { pattern: 'hostile-talker$', type: Talker }
  summarisers:
    - { type: Sleeper, command: [sleep, '600'], seconds: 2 }
    - { type: Talker, command: ['yes', 'Title: for ever'], seconds: 20 }
`;

/** Make the folder. Disposing closes its socket; the files are the caller's to remove. */
export async function makeHostileFolder(root: string): Promise<AsyncDisposable> {
  mkdirSync(root);
  for (const [name, bytes] of Object.entries(documents)) writeFileSync(join(root, name), bytes());
  writeFileSync(
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x74, 0x78, 0x74])]),
    'x',
  );
  mkdirSync(Buffer.concat([Buffer.from(`${root}/folder`), Buffer.from([0xe9])]));
  for (let n = 0; n < plainFiles; n++)
    writeFileSync(join(root, `plain-${n}.txt`), `Plain number ${n}, which is always gathered.\n`);
  openSync(join(root, 'sparse.txt'), 'w');
  truncateSync(join(root, 'sparse.txt'), 4 * gibibyte);
  mkdirSync(join(root, 'loop'));
  symlinkSync('..', join(root, 'loop', 'up'));
  symlinkSync('round', join(root, 'loop', 'about'));
  symlinkSync('about', join(root, 'loop', 'round'));
  symlinkSync('/etc/passwd', join(root, 'loop', 'out'));
  symlinkSync('nowhere', join(root, 'loop', 'dangling'));
  execFileSync('mkfifo', [join(root, 'pipe.txt')]);
  // Paths that are longer than the system takes in one piece.
  const segment = 'x'.repeat(200);
  execFileSync('sh', [
    '-c',
    `cd "$1"; for n in $(seq 30); do mkdir ${segment} && cd -P ${segment}; done`,
    'sh',
    root,
  ]);
  mkdirSync(join(root, 'unreadable'));
  writeFileSync(join(root, 'unreadable', 'inside.txt'), 'This is unreadable.\n');
  chmodSync(join(root, 'unreadable'), 0o000);
  writeFileSync(join(root, 'locked.txt'), 'This too.\n');
  chmodSync(join(root, 'locked.txt'), 0o000);
  const socket = createServer();
  await new Promise<void>((resolve, reject) =>
    socket.once('error', reject).listen(join(root, 'socket'), resolve),
  );
  return {
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}
