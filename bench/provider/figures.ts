import type { Figure } from '../harness/results.ts';

/** Contents of the files: empty as in the paper, and a kibibyte each. */
export const contents = { empty: 0, kib: 1024 } as const;
export type Content = keyof typeof contents;

/** Ways to retrieve one object after another. */
export const retrievals = {
  ftpNew: 'FTP, a new connection for each, with the namespaces vsftpd makes',
  ftpBare: 'FTP, a new connection for each, no namespaces',
  ftpKept: 'FTP, one persistent connection',
  httpNew: 'HTTP, a new connection for each',
  httpKept: 'HTTP, one persistent connection',
  local: 'local file (open, read, close)',
} as const;
export type Retrieval = keyof typeof retrievals;

/** Ways to retrieve all objects at once. */
export const streams = {
  wire: 'first collection over the wire (signed, deflated)',
  soif: 'classic stream /soif, plain',
  gzip: 'classic stream /soif, stored compressed',
  round: 'round in which nothing has changed',
} as const;
export type Stream = keyof typeof streams;

/** Files of an average archive in the paper. */
export const siteFiles = 2300;

const factors = {
  localFtp: { what: 'FTP with a new connection against local file (paper: 6.99)' },
  keptFtp: { what: 'FTP with a new connection against a persistent one (paper: 700 % faster)' },
  streamOne: { what: 'one file by FTP against a whole stream, wire (paper: 2.72)' },
  streamOneGzip: { what: 'one file by FTP against a whole stream, stored compressed (paper: 2.81)' },
  siteWire: {
    what: `site of ${siteFiles.toLocaleString('en-US')} files by FTP against the wire (paper: 6,429)`,
  },
  siteGzip: { what: 'the same against the stored compressed stream (paper: 6,631)' },
  siteRound: { what: 'the same against a round in which nothing has changed' },
  siteHttpWire: { what: 'site by HTTP with a persistent connection against the wire' },
  siteHttpGzip: { what: 'the same against the stored compressed stream' },
  siteHttpRound: { what: 'the same against a round in which nothing has changed' },
} as const;
export type Factor = keyof typeof factors;
export const factorNames = Object.keys(factors) as readonly Factor[];

const nameOf = { empty: 'empty files', kib: 'files of 1 KiB' } as const;

export type Cost = 'cpu' | 'elapsed';
export type ProviderFigure = `${Content}.${Retrieval | Stream}.${Cost}` | `${Content}.${Factor}.${Cost}`;

function table(): Record<ProviderFigure, Figure> {
  const figures: [ProviderFigure, Figure][] = [];
  for (const content of Object.keys(contents) as Content[]) {
    const costs = [
      ['cpu', `CPU of the provider per object, ${nameOf[content]}`],
      ['elapsed', `Elapsed per object, ${nameOf[content]} (client included)`],
    ] as const;
    for (const [cost, section] of costs) {
      for (const [way, what] of Object.entries({ ...retrievals, ...streams }))
        figures.push([`${content}.${way as Retrieval | Stream}.${cost}`, { section, what, unit: 'µs' }]);
    }
    for (const [cost, of] of [
      ['cpu', 'CPU of the provider'],
      ['elapsed', 'elapsed time'],
    ] as const) {
      const section = `Factors, ${nameOf[content]}, ${of}`;
      for (const [factor, { what }] of Object.entries(factors))
        figures.push([`${content}.${factor as Factor}.${cost}`, { section, what, unit: 'times' }]);
    }
  }
  return Object.fromEntries(figures) as Record<ProviderFigure, Figure>;
}

export const providerFigures = table();
