import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A public name of an export: the file of its declaration, its own docstring, and those of its members. */
export interface Declared {
  readonly name: string;
  readonly file: string;
  /** Empty when there is none. */
  readonly doc: string;
  readonly members: readonly string[];
}

/** The declaration file that a specifier of another one names. */
const target = (file: string, specifier: string) =>
  join(dirname(file), specifier.replace(/(?:\.d)?\.[jt]s$/, '.d.ts'));

const listed = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => name.split(' as ') as [own: string, exported?: string]);

/** Where each public name of a declaration file is declared: by the name that it is exported under. */
function origins(file: string): Map<string, readonly [file: string, own: string]> {
  const text = readFileSync(file, 'utf8');
  const found = new Map<string, readonly [string, string]>();
  for (const [, own = ''] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type) (\w+)/gm,
  ))
    found.set(own, [file, own]);
  for (const [, names = '', specifier = ''] of text.matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm,
  )) {
    const inner = origins(target(file, specifier));
    for (const [own, exported = own] of listed(names)) {
      const origin = inner.get(own);
      if (origin !== undefined) found.set(exported, origin);
    }
  }
  for (const [, specifier = ''] of text.matchAll(/^export \* from '([^']+)'/gm))
    for (const [name, origin] of origins(target(file, specifier))) found.set(name, origin);
  return found;
}

const docs = (text: string) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];

/** The public names of an export, as its declarations have them. */
export function declaredBy(file: string): Declared[] {
  return Array.from(origins(file), ([name, [origin, own]]) => {
    const text = readFileSync(origin, 'utf8');
    const start = text.search(
      new RegExp(`^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type) ${own}\\b`, 'm'),
    );
    const before = text.slice(0, start).trimEnd();
    const doc = before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : '';
    const [body = ''] = text.slice(start).match(/^[^\n]*\{\n[\s\S]*?\n\}/) ?? [];
    return { name, file: origin, doc, members: docs(body) };
  });
}

/** The code of the `@example`s of a docstring. */
export function examplesIn(doc: string): string[] {
  const lines = doc
    .replace(/^\/\*\*|\s*\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
  return lines
    .join('\n')
    .split(/^@example\s*$/m)
    .slice(1)
    .map((code) => `${code.split(/^@\w/m)[0]?.trim()}\n`);
}

/** The exports of the package with declarations of their own in dist/: name and declaration file. */
export function libraryExports(root: string): { readonly name: string; readonly file: string }[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { readonly types: string; readonly default?: string }>;
  };
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === 'object' && entry.default !== undefined && existsSync(join(root, entry.types))
      ? [{ name: path.replace('.', 'garner'), file: join(root, entry.types) }]
      : [],
  );
}
