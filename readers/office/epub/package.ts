import type { ZipParts } from '../../archives/index.ts';
import { localAttribute, localName, readXml } from '../../xml/index.ts';
import { type BookMetadata, readMetadata } from './metadata.ts';

const maxItems = 20_000;

/** The package document of a book (EPUB 3.3 section 5). */
export interface BookPackage {
  readonly metadata: BookMetadata;
  readonly version: string | undefined;
  /** Names of the parts in reading order. */
  readonly spine: readonly string[];
  readonly images: number;
}

/** Read the package document that container.xml names; without one all pages are read in order. */
export async function readPackage(parts: ZipParts, notes: string[]): Promise<BookPackage> {
  const path = await packagePath(parts, notes);
  const bytes = (path === undefined ? undefined : await parts.readable(path, notes)) ?? new Uint8Array();
  const folder = path === undefined ? '' : path.slice(0, path.lastIndexOf('/') + 1);
  const items = new Map<string, { readonly name: string; readonly type: string }>();
  const order: string[] = [];
  let version: string | undefined;
  readXml(bytes, {
    open: (element, attributes) => {
      const name = localName(element);
      if (name === 'package') version = attributes.version;
      else if (name === 'item' && items.size < maxItems) {
        const type = localAttribute(attributes, 'media-type') ?? '';
        items.set(attributes.id ?? '', { name: resolvedName(folder, attributes.href ?? ''), type });
      } else if (name === 'itemref' && order.length < maxItems) order.push(attributes.idref ?? '');
    },
  });
  const listed = order
    .map((id) => items.get(id)?.name)
    .filter((name) => name !== undefined && parts.has(name));
  const pages = listed.length > 0 ? listed : parts.names.filter((name) => /\.x?html?$/i.test(name));
  const locked = await encryptedNames(parts, notes);
  const spine = pages.filter((name) => !locked.has(name ?? ''));
  if (spine.length < pages.length) notes.push('Pages of the book are encrypted.');
  const pictures = [...items.values()].filter(({ type }) => type.startsWith('image/'));
  return {
    metadata: readMetadata(bytes),
    version,
    spine: [...new Set(spine as string[])],
    images: pictures.length,
  };
}

/** The parts that cannot be read without a key (EPUB Open Container Format 3.3 section 4.2.6.3.2). */
async function encryptedNames(parts: ZipParts, notes: string[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  readXml((await parts.readable('META-INF/encryption.xml', notes)) ?? new Uint8Array(), {
    open: (element, attributes) => {
      if (localName(element) === 'CipherReference' && names.size < maxItems)
        names.add(resolvedName('', attributes.URI ?? ''));
    },
  });
  return names;
}

async function packagePath(parts: ZipParts, notes: string[]): Promise<string | undefined> {
  let path: string | undefined;
  const container = (await parts.readable('META-INF/container.xml', notes)) ?? new Uint8Array();
  readXml(container, {
    open: (element, attributes) => {
      if (localName(element) === 'rootfile') path ??= attributes['full-path']?.replace(/^\/+/, '');
    },
  });
  return path ?? parts.names.find((name) => name.endsWith('.opf'));
}

function resolvedName(folder: string, href: string): string {
  const [path = ''] = href.split('#', 1);
  const steps: string[] = [];
  for (const step of (path.startsWith('/') ? unescaped(path) : folder + unescaped(path)).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
