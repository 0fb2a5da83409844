import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest parent folder with package.json: tests run from build folders of several depths. */
export function checkout(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('this build is not in a checkout');
  return checkout(above);
}
