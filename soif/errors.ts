import { defineErrors } from '../kernel/index.ts';

/** A place in a SOIF text: bytes count from 0, lines from 1 (line feeds in values count too). */
export interface SoifPlace {
  readonly byte: number;
  readonly line: number;
}

const at = (place: SoifPlace) => `(line ${place.line}, byte ${place.byte})`;
const layout = 'Write objects as "@TYPE { URL", one "Name{size}:<TAB>value" for each attribute, then "}".';

// One entry for each fault of SOIF; the input is wrong, so a retry does not help.
const faulty = { exit: 1, retry: 'never', status: 400 } as const;

/** Errors of reading and writing summary objects. */
export const soifErrors = defineErrors({
  SOIF_DELTA: {
    ...faulty,
    message: ({ problem }: { problem: string }) => `A change to an object cannot be applied: ${problem}.`,
    hint: () => 'Request the whole object; the sender has another version of it, or is faulty.',
  },
  SOIF_HEADER: {
    ...faulty,
    message: (data: SoifPlace & { expected: string; found: string }) =>
      `An object's opening has ${data.found} where ${data.expected} belongs ${at(data)}.`,
    hint: () => layout,
  },
  SOIF_URL: {
    ...faulty,
    message: (data: SoifPlace & { problem: string }) => `An object's URL ${data.problem} ${at(data)}.`,
    hint: () => 'Give the URL without white space, percent-encoded, or "-" when there is none.',
  },
  SOIF_ATTRIBUTE: {
    ...faulty,
    message: (data: SoifPlace & { expected: string; found: string }) =>
      `An attribute has ${data.found} where ${data.expected} belongs ${at(data)}.`,
    hint: () =>
      'Check that the size of the value before it is its length in bytes; editing or converting a file changes lengths.',
  },
  SOIF_DELIMITER: {
    ...faulty,
    message: (data: SoifPlace & { name: string; found: string }) =>
      `${data.name} has ${data.found} between size and value instead of a colon and a TAB ${at(data)}.`,
    hint: () => 'Write a colon and one TAB after the size; editors may turn a TAB into spaces.',
  },
  SOIF_TOO_LARGE: {
    ...faulty,
    message: (data: SoifPlace & { what: string; limit: number }) =>
      `${data.what} is over the limit of ${data.limit} ${at(data)}.`,
    hint: () => 'Leave the object out, or raise the limit if you trust its source.',
  },
  SOIF_UNCLOSED: {
    ...faulty,
    message: (data: SoifPlace) => `An object begins before the one before it is closed by "}" ${at(data)}.`,
    hint: () => layout,
  },
  SOIF_SECTION: {
    ...faulty,
    message: (data: SoifPlace & { section: string; found: string }) =>
      `The ${data.section} section has ${data.found} where an object or "}" belongs ${at(data)}.`,
    hint: () => 'A stream reads "@DELETE { ... } @REFRESH { ... } @UPDATE { ... }" with objects inside.',
  },
  SOIF_TRUNCATED: {
    ...faulty,
    message: (data: SoifPlace & { inside: string }) => `The input ends inside ${data.inside} ${at(data)}.`,
    hint: () => 'Fetch it again: it was cut off, or a value is shorter than its size says.',
  },
  SOIF_UNPRINTABLE: {
    ...faulty,
    message: (data: { url: string; problem: string }) =>
      `The summary object of ${JSON.stringify(data.url.slice(0, 200))} cannot be written as SOIF: ${data.problem}.`,
    hint: () => 'Change that part before you pass the object on.',
  },
  SOIF_BINARY: {
    ...faulty,
    message: (data: { byte: number; problem: string }) =>
      `A summary object in binary form is malformed at byte ${data.byte}: ${data.problem}.`,
    hint: () =>
      'Request the object again; if the error persists, its sender is faulty or of another version.',
  },
});
