import type { Setting } from '../kernel/index.ts';

export const gathererSettings: readonly Setting[] = [
  {
    key: 'gatherer.name',
    kind: 'text',
    default: '',
    describe: 'What this Gatherer is called; the host or folder it gathers when empty',
  },
  {
    key: 'gatherer.text',
    kind: 'choice',
    choices: ['full', 'selected', 'none'],
    default: 'full',
    describe: 'How much text a summary holds: all of it, headings and first sentences, or none',
  },
  {
    key: 'gatherer.max-text',
    kind: 'size',
    default: 8 * 1024 * 1024,
    describe: 'Most text one summary holds; what is cut is said in its Summary-Note',
  },
  {
    key: 'gatherer.ttl',
    kind: 'duration',
    default: 30 * 24 * 3600,
    describe: 'Time-to-Live of a summary: how long it is valid without being refreshed',
  },
  {
    key: 'gatherer.refresh',
    kind: 'duration',
    default: 7 * 24 * 3600,
    describe: 'Refresh-Rate: how often an unchanged summary is refreshed and the site is walked anew',
  },
  {
    key: 'gatherer.recheck',
    kind: 'duration',
    default: 0,
    describe: 'How often a web site is asked what changed (conditional requests); 0 means at Refresh-Rate',
  },
  {
    key: 'gatherer.stop',
    kind: 'list',
    default: [],
    describe: 'Types that are left out, such as Image or Archive',
  },
  {
    key: 'gatherer.allow',
    kind: 'list',
    default: [],
    describe: 'Keep only these types; every type when empty',
  },
  {
    key: 'gatherer.hidden',
    kind: 'flag',
    default: false,
    describe: 'Gather files and folders whose name begins with a dot',
  },
];
