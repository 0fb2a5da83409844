import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';

/** Packages above this are left out: 18 of them are a quarter of all bytes. */
const maxPackageBytes = 20_000_000;

/** Some of a list, chosen by a seed. */
export function some<Item>(list: readonly Item[], count: number, seed: number): readonly Item[] {
  const { next } = seededRandom(seed);
  const places = new Set<number>();
  while (places.size < Math.min(count, list.length)) places.add(Math.floor(next() * list.length));
  return [...places].map((at) => list[at] as Item);
}

/** The names of Debian's packages in the lists of this machine, in their order. */
function knownPackages(): readonly string[] {
  const listed = execFileSync('apt-cache', ['dumpavail'], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const names = listed.split('\n\n').flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const isChosen = field('Filename').startsWith('pool/main/') && Number(field('Size')) <= maxPackageBytes;
    return isChosen ? [field('Package')] : [];
  });
  return [...new Set(names)].sort();
}

/**
 * Choose packages of Debian by a seed, download them into `folder/debs` unless they are there, and unpack each into a
 * folder of its own in `folder/files`. Throws an Error when apt-get cannot get one.
 */
export function unpackedPackages(
  folder: string,
  count: number,
  seed: number,
): { readonly names: readonly string[]; readonly known: number; readonly root: string } {
  const known = knownPackages();
  const chosen = some(known, count, seed);
  const [debs, files] = [join(folder, 'debs'), join(folder, `files-${seed}-${count}`)];
  for (const place of [debs, files]) mkdirSync(place, { recursive: true });
  const archiveOf = (name: string) => readdirSync(debs).find((file) => file.startsWith(`${name}_`));
  const absent = chosen.filter((name) => archiveOf(name) === undefined);
  // Without the sandbox of its own user, which cannot write to this folder.
  const options = ['-q', '-o', 'APT::Sandbox::User=root'];
  if (absent.length > 0)
    execFileSync('apt-get', ['download', ...options, ...absent], { cwd: debs, stdio: 'ignore' });
  for (const name of chosen)
    if (!existsSync(join(files, name)))
      execFileSync('dpkg-deb', ['-x', join(debs, archiveOf(name) as string), join(files, name)]);
  return { names: [...chosen].sort(), known: known.length, root: files };
}
