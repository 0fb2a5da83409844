import type { Figure } from '../harness/results.ts';

const first = 'First run (a process of its own, start-up and SOIF file included)';
const again = 'Run with no changes';
const many = 'Run with no changes, and a root for each folder in the folder';
const wire = 'First collection over the wire, against the bytes of the files';
const pdf = 'The text of every PDF in the folder, unpacked, compared with pdftotext';
const searchable = 'From the folder to searchable';

/** The figures of `gather FOLDER`. */
export const gatherFigures = {
  firstSeconds: { section: first, what: 'whole run', unit: 's' },
  firstCpu: { section: first, what: 'CPU of all threads', unit: 's' },
  firstRate: { section: first, what: 'objects gathered a second and core of CPU', unit: 'objects/s' },
  firstBytesRate: { section: first, what: 'bytes read a second and core of CPU', unit: 'MB/s' },
  firstPeak: { section: first, what: 'memory, peak', unit: 'MiB' },

  againSeconds: { section: again, what: 'whole run', unit: 's' },
  againCpu: { section: again, what: 'CPU of all threads', unit: 's' },
  emptyCpu: { section: again, what: 'CPU of start-up: the same for an empty folder', unit: 's' },
  againFileCpu: {
    section: again,
    what: 'CPU per file beyond start-up',
    unit: 'µs',
    goal: { atMost: 30 },
  },
  againBytes: { section: again, what: 'bytes of files that were read again', unit: 'MB' },
  againPeak: { section: again, what: 'memory, peak', unit: 'MiB' },

  rootsCpu: { section: many, what: 'CPU of all threads', unit: 's' },
  rootsFileCpu: {
    section: many,
    what: 'CPU per file beyond start-up',
    unit: 'µs',
    goal: { atMost: 45 },
  },

  wireNone: { section: wire, what: 'fields alone (text: none)', unit: 'MB' },
  wireNoneTimes: { section: wire, what: 'bytes of the files against that', unit: 'times' },
  wireSelected: { section: wire, what: 'selected text', unit: 'MB' },
  wireSelectedTimes: { section: wire, what: 'bytes of the files against that', unit: 'times' },
  wireFull: { section: wire, what: 'full text', unit: 'MB' },
  wireFullTimes: { section: wire, what: 'bytes of the files against that', unit: 'times' },

  pdfPages: { section: pdf, what: 'pages', unit: 'pages' },
  pdfGarnerRate: { section: pdf, what: 'pages a second of CPU, Garner, start-up left out', unit: 'pages/s' },
  pdfPeerRate: { section: pdf, what: 'pages a second of CPU, pdftotext', unit: 'pages/s' },
  pdfTimes: { section: pdf, what: 'pdftotext against Garner', unit: 'times', goal: { atMost: 2 } },

  upAllSeconds: { section: searchable, what: 'garner up, every file', unit: 's' },
  upAllPeak: {
    section: searchable,
    what: 'memory of that, peak',
    unit: 'MiB',
    goal: { below: 1024 },
  },
  upSeconds: { section: searchable, what: 'garner up, the HTML alone', unit: 's' },
  upCpu: { section: searchable, what: 'CPU of that', unit: 's' },
  upPeak: { section: searchable, what: 'memory of that, peak', unit: 'MiB', goal: { below: 1024 } },
  pagefindSeconds: { section: searchable, what: 'pagefind, the same HTML', unit: 's' },
  pagefindCpu: { section: searchable, what: 'CPU of that', unit: 's' },
  pagefindPeak: { section: searchable, what: 'memory of that, peak', unit: 'MiB' },
  pagefindTimes: {
    section: searchable,
    what: 'pagefind against garner up, time',
    unit: 'times',
    goal: { atLeast: 1.5 },
  },
  pagefindCpuTimes: { section: searchable, what: 'pagefind against garner up, CPU', unit: 'times' },
} as const satisfies Record<string, Figure>;

export type GatherFigure = keyof typeof gatherFigures;
