import type { Extract, Field } from '../document/index.ts';
import { beginning, oneLine } from './clean-text.ts';
import type { TextBlocks } from './text-blocks.ts';

const maxTitle = 1000;
const maxValue = 8 * 1024;

export type { Field };

/** A reader's findings in a document without robots directives; every field may be absent. */
export interface ExtractParts {
  readonly title?: string | undefined;
  readonly fields: readonly Field[];
  readonly blocks?: TextBlocks;
  /** Absolute URLs. */
  readonly references?: readonly string[];
  readonly links?: readonly string[];
  readonly notes?: readonly string[];
}

/** The extract of the findings. */
export function extractOf(found: ExtractParts): Extract {
  const title = found.title === undefined ? '' : beginning(oneLine(found.title), maxTitle);
  const text = found.blocks?.read();
  return {
    ...(title === '' ? {} : { title }),
    fields: found.fields,
    ...(text === undefined ? {} : { text }),
    references: found.references ?? [],
    links: found.links ?? [],
    index: true,
    follow: true,
    notes: found.notes ?? [],
  };
}

/** An attribute of one line; numbers as digits, undefined as the empty value, which is dropped. */
export function fact(name: string, value: string | number | undefined): Field {
  if (value === undefined) return [name, ''];
  return [name, typeof value === 'number' ? String(value) : beginning(oneLine(value), maxValue)];
}

/** The result of `read`; when it throws, undefined with a note that `what` could not be read. */
export function attempted<Value>(what: string, notes: string[], read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    notes.push(`${what} could not be read.`);
    return undefined;
  }
}
