import type { PartialReading } from '../engines/index.ts';
import type { Collecting } from './search-answer.ts';

// Sentences of an answer for people.

/** Hits that can be skipped: the engine orders all of them. */
export const maxOffset = 1_000_000;

export function beyondNote(offset: number, entries: number): string[] {
  if (offset > 0 && entries > 0 && offset >= entries)
    return [`the list has ${entries} ${entries === 1 ? 'hit' : 'hits'}, so none comes after hit ${offset}`];
  if (offset > maxOffset) return [`hits after ${maxOffset} are listed with a cursor only: send cursor=*`];
  return [];
}

export const begunNote = (word: string) =>
  `no result has the word "${word}"; these have words that begin with it`;

/** Quoted words of a note; few, because a query may have many. */
const listed = (words: readonly string[]) =>
  words
    .slice(0, 5)
    .map((word) => `"${word}"`)
    .join(' and ');

export function longerNote(beginnings: readonly string[], parts: readonly string[]): string {
  const found = [
    ...(beginnings.length === 0 ? [] : [`words that begin with ${listed(beginnings)}`]),
    ...(parts.length === 0 ? [] : [`words that contain ${listed(parts)}`]),
  ];
  return `no result has ${listed([...beginnings, ...parts])}; these have ${found.join(', and ')}`;
}

export const fileNameNote = 'no result has these words in its text; the names of these files have them';

export const collectingNote = ({ objects, sources }: Collecting) =>
  `still collecting${sources.length === 0 ? '' : ` from ${sources.slice(0, 3).join(', ')}${sources.length > 3 ? ' and others' : ''}`}: ${objects} ${objects === 1 ? 'object' : 'objects'} so far`;

export const partialNote = ({ part, read, of }: PartialReading) =>
  `${part} was searched for in only ${read} of the ${of} objects that may contain it, the last indexed ones; add a word to leave fewer objects to read`;

export const rebuildingNote = ({
  indexed,
  objects,
}: {
  readonly indexed: number;
  readonly objects: number;
}) => `the index is being rebuilt: ${indexed} of ${objects} objects are searchable so far`;
