import { baseName, type SummaryObject } from '../../soif/index.ts';
import type { QueryNode } from '../syntax/index.ts';
import {
  defaultLanguage,
  isSearchedByBareWords,
  type Language,
  languageOfObject,
  scanWords,
  termOf,
  urlAttribute,
  variantsOf,
} from '../words/index.ts';
import { isPlain, leafTerms } from './leaves.ts';
import type { WordPlace } from './required-words.ts';

const decoder = new TextDecoder();

/** The terms of one object and their places, read once and then used for many queries. */
export class ObjectTerms {
  readonly language: Language;
  /** Terms that bare words find. */
  readonly bare: ReadonlySet<string>;
  /** Terms by lower-case attribute name; `author` has those of `Author-1` too. */
  readonly #named = new Map<string, Set<string>>();

  /** `attributes`: the lower-case names that queries use; the others are only read for bare words. */
  constructor(object: SummaryObject, attributes: ReadonlySet<string>, fallback: Language = defaultLanguage) {
    const language = languageOfObject(object, fallback);
    this.language = language;
    const bare = new Set<string>();
    const note = (name: string, value: Uint8Array | string, isBare: boolean) => {
      const names = new Set([name.toLowerCase(), baseName(name)]);
      const sets = [...names].filter((one) => attributes.has(one)).map((one) => this.#setOf(one));
      if (isBare) sets.push(bare);
      if (sets.length === 0) return;
      const read = (text: string) =>
        scanWords(text, (word) => {
          const term = termOf(word, language);
          for (const set of sets) set.add(term);
          return false;
        });
      const text = typeof value === 'string' ? value : decoder.decode(value);
      read(text);
      for (const variant of variantsOf(text)) read(variant.text);
    };
    for (const { name, value } of object.attributes) note(name, value, isSearchedByBareWords(name));
    if (object.url !== '-') note(urlAttribute, object.url, false);
    this.bare = bare;
  }

  /** The terms of one attribute from those given to the constructor. */
  named(attribute: string): ReadonlySet<string> | undefined {
    return this.#named.get(attribute);
  }

  has({ word, attribute }: WordPlace): boolean {
    return this.#hasTerm(termOf(word, this.language), attribute);
  }

  /**
   * Whether a query matches; undefined where terms alone do not decide. Every attribute of the query must be
   * one given to the constructor.
   */
  judge(query: QueryNode, attribute?: string): boolean | undefined {
    switch (query.kind) {
      case 'word':
      case 'phrase': {
        if (!isPlain(query)) return undefined;
        const terms = leafTerms(query, this.language);
        if (terms.length === 0 || !terms.every((term) => this.#hasTerm(term, attribute))) return false;
        return terms.length === 1 ? true : undefined;
      }
      case 'attribute':
        return this.judge(query.operand, query.name.toLowerCase());
      case 'and':
        return this.#joined(query.operands, attribute, false);
      case 'or':
        return this.#joined(query.operands, attribute, true);
      case 'not': {
        const operand = this.judge(query.operand, attribute);
        return operand === undefined ? undefined : !operand;
      }
      case 'all':
        return true;
      default:
        return undefined;
    }
  }

  /** Three-valued: one `decisive` operand decides; an unknown operand leaves the rest open. */
  #joined(
    operands: readonly QueryNode[],
    attribute: string | undefined,
    decisive: boolean,
  ): boolean | undefined {
    let isOpen = false;
    for (const operand of operands) {
      const judged = this.judge(operand, attribute);
      if (judged === decisive) return decisive;
      isOpen ||= judged === undefined;
    }
    return isOpen ? undefined : !decisive;
  }

  #hasTerm(term: string, attribute: string | undefined): boolean {
    return (attribute === undefined ? this.bare : this.#named.get(attribute))?.has(term) === true;
  }

  #setOf(name: string): Set<string> {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const made = new Set<string>();
    this.#named.set(name, made);
    return made;
  }
}

/** Lower-case names of the attributes in a query. */
export function attributesOf(query: QueryNode): string[] {
  switch (query.kind) {
    case 'attribute':
      return [query.name.toLowerCase(), ...attributesOf(query.operand)];
    case 'and':
    case 'or':
      return query.operands.flatMap(attributesOf);
    case 'not':
      return attributesOf(query.operand);
    default:
      return [];
  }
}
