import type { AttributeNote, RecognisedDocument } from '../../../readers/document/index.ts';
import { decodeText, fact, joined, numbered, oneLine, preceding } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { fieldLines, sectionValues } from './source-distribution/manifest-lines.ts';
import {
  descriptionRank,
  type PackageDescription,
  readDescription,
} from './source-distribution/package-description.ts';

/** Attributes of a file that describes a package, an application or a service. */
export const describedAttributes: readonly AttributeNote[] = [
  { name: 'Description', what: 'Description in a file that describes a package, application or service' },
  { name: 'Version', what: 'Version in such a file' },
  { name: 'Author', what: 'Authors in such a file; several are numbered' },
  { name: 'License', what: 'Licence in such a file' },
  { name: 'Keywords', what: 'Keywords in such a file, joined by commas' },
];

const maxRead = 64 * 1024;

type Described = Pick<PackageDescription, 'name' | 'version' | 'description'>;

/** Files that describe something other than a package of sources. */
const readers: readonly (readonly [name: RegExp, read: (text: string) => Described])[] = [
  [/\.(?:desktop|directory)$/, (text) => section(text, ['desktop entry', 'xfce panel'], 'comment')],
  [/\.plugin$/, (text) => section(text, ['plugin'], 'description')],
  [
    /\.(?:service|socket|timer|target|path|mount|slice)$/,
    (text) => ({ name: sectionValues(text, ['unit']).get('description') }),
  ],
  [/\.pc(?:\.in)?$/, (text) => fields(text, 'name', 'version', 'description')],
  [/^manifest\.mf$/, (text) => fields(text, 'bundle-name', 'bundle-version', 'bundle-description')],
  [/^manifest\.mf$/, (text) => fields(text, 'implementation-title', 'implementation-version', '')],
  [/^metadata$|\.egg-info$/, (text) => fields(text, 'name', 'version', 'summary')],
];

function section(text: string, names: readonly string[], description: string): Described {
  const values = sectionValues(text, names);
  return { name: values.get('name'), description: values.get(description) ?? values.get('genericname') };
}

function fields(text: string, name: string, version: string, description: string): Described {
  const values = fieldLines(text);
  return { name: values.get(name), version: values.get(version), description: values.get(description) };
}

function descriptionOf(document: RecognisedDocument): PackageDescription {
  const name = document.name.toLowerCase();
  // The summary of a change log is that of its entries.
  const rank = name === 'changelog' ? undefined : descriptionRank(document.unwrappedUrl ?? document.url);
  const chosen = readers.filter(([pattern]) => pattern.test(name));
  if (rank === undefined && chosen.length === 0) return {};
  const start = document.bytes.subarray(0, maxRead);
  const text = decodeText(start, document.charset).replace(/\r\n?/g, '\n');
  if (rank !== undefined) return readDescription(rank, text);
  return chosen.map(([, read]) => read(text)).find(({ name: own }) => own !== undefined) ?? {};
}

/** A summariser of texts that gives files which describe a package, application or service its name as the title. */
export function withDescription(summarise: SyncSummariser): SyncSummariser {
  return (document, options) => {
    const extract = summarise(document, options);
    const { name, version, description, authors = [], licence, keywords = [] } = descriptionOf(document);
    if (name === undefined) return extract;
    const own = [
      fact('Description', description),
      fact('Version', version),
      ...numbered('Author', authors),
      fact('License', licence),
      joined('Keywords', keywords),
    ].filter(([, value]) => value !== '');
    return {
      ...extract,
      title: oneLine(version === undefined ? name : `${name} ${version}`),
      fields: preceding(own, extract.fields),
    };
  };
}
