// Runs the compiled tests: node dist/test/run.js [word...] keeps the files whose path holds one of the words.
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const built = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  // A test whose source is gone is a stale output.
  .filter((file) => existsSync(join(relative(process.cwd(), built), '..', file.replace(/\.js$/, '.ts'))))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .map((file) => join(built, file));

if (files.length === 0) {
  console.error(`no test file's path holds any of: ${words.join(' ')}`);
  process.exit(2);
}

run({ files, concurrency: Math.max(2, availableParallelism()), timeout: 600_000 })
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
