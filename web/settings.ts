import type { Setting } from '../kernel/index.ts';

/** The operator's settings for the pages of a Broker or Registry. */
export const pageSettings: readonly Setting[] = [
  {
    key: 'page.title',
    kind: 'text',
    default: '',
    describe: 'Name at the top and in the title of every page; that of broker.name when empty',
  },
  {
    key: 'page.logo',
    kind: 'text',
    default: '',
    describe: 'File with a picture beside the name on every page: SVG, PNG or WebP, at most 256 KiB',
  },
  {
    key: 'page.footer',
    kind: 'text',
    default: '',
    describe: 'Text below every page; it is shown as it is, without markup',
  },
  {
    key: 'page.footer-links',
    kind: 'list',
    default: [],
    entry: 'a name and an address, for example Imprint https://www.example.org/imprint',
    example: '[Imprint https://www.example.org/imprint, Contact mailto:search@example.org]',
    describe: 'Links behind that text, at most 12',
  },
];
