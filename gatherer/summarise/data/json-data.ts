import type { AttributeNote, Extract, Field, SummariseOptions } from '../../../readers/document/index.ts';
import { isJsonLines, JsonShape, scanJson, scanJsonLines } from '../../../readers/json/index.ts';
import {
  decodeText,
  extractOf,
  fact,
  keptLines,
  numbered,
  oneLine,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of JSON. */
export const jsonDataAttributes: readonly AttributeNote[] = [
  {
    name: 'Format',
    what: 'JSON, JSON lines, GeoJSON, JSON-LD, JSON Schema, OpenAPI, npm package, notebook or web manifest',
  },
  { name: 'Description', what: 'Description in the document' },
  { name: 'Keywords', what: 'Keywords of an npm package or JSON-LD, joined by commas' },
  { name: 'Author', what: 'Authors of an npm package or JSON-LD; several are numbered' },
  { name: 'License', what: 'Licence of an npm package or JSON-LD' },
  { name: 'Version', what: 'Version in the document' },
  { name: 'Imports', what: 'Dependencies of an npm package, one per line' },
  { name: 'Content-Types', what: 'Types that JSON-LD or GeoJSON names, joined by commas' },
  { name: 'Records', what: 'Number of elements of the list at the top, of JSON lines or of features' },
  { name: 'Values', what: 'Number of values of all paths' },
  { name: 'Keys', what: 'Keys at the top, one per line' },
  { name: 'Schema', what: 'Paths down to eight levels with types and frequency, one per line' },
  { name: 'Full-Text', what: 'Every string in it' },
];

/** JSON and JSON lines: shape, facts of known kinds, strings as text; lines that are no JSON are left out. */
export const summariseJsonData: SyncSummariser = (document, options) => {
  const text = decodeText(document.bytes, document.charset);
  const whole = new JsonReading(options);
  if (scanJson(text, whole.shape)) return whole.extract();
  if (!isJsonLines(text)) {
    // Another reader may find text where there is no value.
    if (whole.shape.paths.length < 2) throw new SyntaxError('not JSON');
    return whole.extract('The document breaks off or is not JSON to its end.');
  }
  const lines = new JsonReading(options);
  const bad = scanJsonLines(text, lines.shape);
  return lines.extract(bad === 0 ? undefined : `Lines left out because they are not JSON: ${bad}.`);
};

class JsonReading {
  readonly #blocks: TextBlocks;
  readonly shape: JsonShape;

  constructor(options: SummariseOptions) {
    const blocks = new TextBlocks(options);
    this.#blocks = blocks;
    this.shape = new JsonShape((text) => {
      // Identifiers and addresses are no text.
      if (blocks.open && /\p{L}{2}/u.test(text)) blocks.add(keptLines(text), 'paragraph');
    });
  }

  extract(...notes: readonly (string | undefined)[]): Extract {
    const { shape } = this;
    if (shape.count('') === 0) throw new SyntaxError('not JSON');
    return extractOf({
      title: titleOf(shape),
      fields: fieldsOf(shape),
      blocks: this.#blocks,
      notes: [...notes, shape.cut ? 'Some paths were left out: too many.' : undefined].filter(
        (note) => note !== undefined,
      ),
    });
  }
}

function first(shape: JsonShape, ...paths: readonly string[]): string | undefined {
  // Of JSON lines the first record does not describe the file.
  if (shape.count('') > 1) return undefined;
  for (const path of paths) {
    const value = shape.values(path).find((text) => text.trim() !== '');
    if (value !== undefined) return value;
  }
  return undefined;
}

function titleOf(shape: JsonShape): string | undefined {
  const version = first(shape, 'version');
  const name = first(
    shape,
    'title',
    'info.title',
    'metadata.title',
    'headline',
    '@graph[].name',
    'name',
    'short_name',
  );
  if (formatOf(shape) === 'npm package' && name !== undefined && version !== undefined)
    return `${name} ${version}`;
  return name;
}

function formatOf(shape: JsonShape): string {
  const has = (path: string) => shape.count(path) > 0;
  const type = first(shape, 'type');
  if (shape.count('') > 1) return 'JSON lines';
  if (type === 'FeatureCollection' || (type === 'Feature' && has('geometry'))) return 'GeoJSON';
  if (has('@context') || has('@context[]') || has('[].@context')) return 'JSON-LD';
  if (has('openapi') || has('swagger')) return 'OpenAPI';
  if (has('cells[].cell_type')) return 'notebook';
  if (
    has('name') &&
    has('version') &&
    (has('dependencies') || has('main') || has('scripts') || has('license'))
  )
    return 'npm package';
  if (has('$schema') && (has('properties') || has('definitions') || has('$defs'))) return 'JSON Schema';
  if (has('start_url') || (has('icons[].src') && has('short_name'))) return 'web manifest';
  return 'JSON';
}

function fieldsOf(shape: JsonShape): Field[] {
  const lines = shape.count('') > 1;
  const records = lines
    ? shape.count('')
    : shape.count('features[]') || shape.count('@graph[]') || shape.count('[]') || undefined;
  const types = new Set(
    ['@type', '@graph[].@type', '[].@type', 'features[].geometry.type', 'geometry.type'].flatMap((path) => [
      ...shape.values(path),
    ]),
  );
  const authors = [
    'author',
    'author.name',
    'author[].name',
    'authors[]',
    'contributors[].name',
    'creator.name',
    'info.contact.name',
  ];
  const top = shape.paths.filter(
    (path) => path !== '' && path !== '[]' && !/[.[]/.test(path.replace(/^\[\]\./, '')),
  );
  const dependencies = shape.paths
    .map((path) => /^(?:dependencies|devDependencies|peerDependencies)\.(.+)$/.exec(path)?.[1])
    .filter((name) => name !== undefined);
  const total = shape.paths.reduce((sum, path) => sum + shape.count(path), 0);
  return [
    fact('Format', formatOf(shape)),
    fact(
      'Description',
      first(
        shape,
        'description',
        'info.description',
        'metadata.description',
        '@graph[].description',
        'abstract',
      ),
    ),
    fact(
      'Keywords',
      [...shape.values('keywords'), ...shape.values('keywords[]'), ...shape.values('tags[]')].join(', '),
    ),
    ...numbered(
      'Author',
      [...new Set(authors.flatMap((path) => [...shape.values(path)]))]
        .map(oneLine)
        .filter(Boolean)
        .slice(0, 32),
    ),
    fact('License', first(shape, 'license', 'license.type', 'info.license.name', 'license.name')),
    fact('Version', first(shape, 'version', 'info.version', '$id')),
    ['Imports', [...new Set(dependencies)].join('\n')],
    fact('Content-Types', [...types].join(', ')),
    fact('Records', records),
    fact('Values', total),
    ['Keys', top.map((path) => path.replace(/^\[\]\./, '')).join('\n')],
    ['Schema', shape.describe()],
  ];
}
