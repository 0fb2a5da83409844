import type { Scheme, Want } from '../awareness/index.ts';
import { bad } from './fields.ts';
import type { VectorFields } from './vector-message.ts';

type Field = keyof VectorFields;

const objects: readonly Field[] = ['put', 'part', 'new'];

/** The allowed fields of an answer by this scheme, except its state and its end. */
function fieldsOf(scheme: Scheme): readonly Field[] {
  if (scheme.refines === 'groups') return ['groups', 'unsuited'];
  if (scheme.refines === 'sketch') return [...objects, 'lost', 'cells', 'unsuited', 'sums'];
  if (scheme.selects === 'newest') return [...objects, 'mend'];
  if (scheme.selects !== 'everything') return [...objects, 'mend', 'refresh', 'gone', 'withdrawn', 'lsn'];
  if (scheme.compresses === 'short-id') return ['ids'];
  if (scheme.compresses === 'handle') return ['some'];
  return scheme.compresses === 'object' ? objects : ['new'];
}

/** The fields for objects that are wanted whole, in part, or not at all. */
const wanted = { objects: ['put', 'mend'], attributes: ['part'], handles: ['new'] } as const;
const unwanted = (name: string, want: Want) =>
  Object.values(wanted)
    .flat()
    .includes(name as 'put') && !wanted[want.kind].some((field) => field === name);

/** Max elements of an answer by a sketch, lost ones included: no sketch has so many cells. */
const maxOfSketch = 2 ** 17;

const lengthOf = (fields: VectorFields, name: Field, record: number) =>
  ((fields[name] as Uint8Array | undefined)?.length ?? 0) / record;

function elementsIn(fields: VectorFields): number {
  const { put = [], part = [], mend = [] } = fields;
  const items = put.length + part.length + mend.length;
  const bare = lengthOf(fields, 'new', 32) + lengthOf(fields, 'some', 16);
  return items + bare + lengthOf(fields, 'ids', 6) + lengthOf(fields, 'lost', 6);
}

/**
 * Refuses an answer that no honest store would send by this scheme: fields of another scheme, an empty message,
 * more elements than there are, or a change without its number. So an answer ends even if its sender is hostile.
 */
export class ExpectedFields {
  readonly #allowed: ReadonlySet<string>;
  readonly #numbered: boolean;
  readonly #max: number;
  readonly #want: Want | undefined;
  #elements = 0;
  #begun = false;

  /** `count` is the store's number of objects; `want`, where given, is enforced; `more` are asked for besides. */
  constructor(scheme: Scheme, count: number, want?: Want, more: readonly Field[] = []) {
    this.#want = want;
    this.#allowed = new Set([...fieldsOf(scheme), ...more, 'end']);
    this.#numbered = scheme.refines === 'nothing' && scheme.selects.startsWith('later');
    this.#max = scheme.refines === 'sketch' ? maxOfSketch : count;
  }

  check(fields: VectorFields): void {
    const { s: _, by: __, ...said } = fields;
    if (this.#begun && (fields.s !== undefined || fields.by !== undefined)) bad('tell', 'begins again');
    this.#begun = true;
    const names = Object.keys(said);
    if (names.length === 0) bad('tell', 'says nothing');
    for (const name of names) {
      if (!this.#allowed.has(name)) bad('tell', `has ${name}, which its scheme has not`);
      if (this.#want !== undefined && unwanted(name, this.#want))
        bad('tell', 'has objects in an unwanted form');
    }
    if (this.#numbered && fields.lsn === undefined && fields.end === undefined)
      bad('tell', 'has changes without their number');
    // With numbers that only grow a vector of changes ends by itself.
    if (!this.#numbered) this.#elements += elementsIn(fields);
    if (this.#elements > this.#max) bad('tell', 'has more elements than there are');
  }
}
