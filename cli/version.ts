import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Garner's own folder: where package.json, docs/ and web/ lie, whether run from the build or installed. */
export function packageFolder(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '../..');
}

/** The version in package.json. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
