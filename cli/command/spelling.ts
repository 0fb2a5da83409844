import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';

/** How a person types one of the programs here: `garner`, `npx garner`, or `node /opt/garner/dist/cli/garner.js`. */
export type Spell = (name: string) => string;

/** The surroundings that decide how the programs are typed. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's working folder. */
  readonly cwd: string;
  /** Garner's own folder. */
  readonly packageFolder: string;
  /** The folder of garner.js, gatherer.js and broker.js. */
  readonly programs: string;
}

// Folders that npm puts before PATH while it runs something; the person's shell does not have them.
const onlyUnderNpm = /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin|_npx[\\/].*)$/;

/**
 * How the programs are typed here: by name when the shell finds this very package, through npx in a checkout
 * or a project that depends on Garner, else by node and path.
 */
export function spelling(surroundings: Surroundings): Spell {
  const known = new Map<string, string>();
  return (name) => {
    const spelled = known.get(name) ?? spell(name, surroundings);
    known.set(name, spelled);
    return spelled;
  };
}

function spell(name: string, { env, cwd, packageFolder, programs }: Surroundings): string {
  const byNpm = env.npm_lifecycle_event !== undefined || env.npm_execpath !== undefined;
  const folders = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !(byNpm && onlyUnderNpm.test(folder)));
  const first = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (first !== undefined && isBelow(first, packageFolder)) return name;
  if (isBelow(cwd, packageFolder)) return `npx ${name}`;
  for (let at = cwd; ; at = dirname(at)) {
    if (isBelow(join(at, 'node_modules', '.bin', name), packageFolder)) return `npx ${name}`;
    if (at === dirname(at)) break;
  }
  const path = join(programs, `${name}.js`);
  return `node ${/^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`}`;
}

function isBelow(path: string, folder: string): boolean {
  try {
    const [real, above] = [realpathSync(path), realpathSync(folder)];
    return real === above || relative(above, real).split(sep)[0] !== '..';
  } catch {
    return false;
  }
}

/** A sentence with each `garner VERB` in it as it is typed here. */
export function spelledOut(text: string, spell: Spell): string {
  return text.replace(
    /(?<![\w/.-])(?<!npx )garner (?=(?:up|gatherer|broker|cache|registry|search|awareness|soif|publish|config|doctor|completion|help)\b)/g,
    () => `${spell('garner')} `,
  );
}
