import { cutAtWord, failure } from '../../kernel/index.ts';
import { Attributes, attributeText, attributeTexts, type SummaryObject } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';

export interface ShownAttribute {
  readonly label: string;
  readonly value: string;
}

interface Line {
  readonly attribute: string;
  readonly label: string;
}

const maxTemplates = 100;
const maxLines = 8;
const maxValues = 5;
const maxLength = 200;

/** Means every type without a template of its own. */
const everyType = '*';

/**
 * The attributes that results show, by type: data only, after BrokerQuery.cf of the original. A table is
 * `{type: Report, show: [Author as By, Keywords]}`; `type: '*'` is for all other types.
 */
export class ResultTemplates {
  readonly #byType = new Map<string, readonly Line[]>();

  /** Throws BROKER_TEMPLATE. */
  constructor(tables: readonly Readonly<Record<string, unknown>>[]) {
    if (tables.length > maxTemplates) throw bad(maxTemplates, `has more than ${maxTemplates} tables`);
    for (const [at, table] of tables.entries()) {
      const { type = everyType, show, ...others } = table;
      const [unknown] = Object.keys(others);
      if (unknown !== undefined) throw bad(at, `has an unknown key ${JSON.stringify(unknown)}`);
      if (typeof type !== 'string' || type.trim() === '') throw bad(at, 'has a type that is not a name');
      if (!Array.isArray(show) || show.length > maxLines)
        throw bad(at, `needs show, a list of at most ${maxLines} attributes`);
      const key = type.trim().toLowerCase();
      if (this.#byType.has(key)) throw bad(at, `repeats the type ${type}`);
      this.#byType.set(
        key,
        show.map((line) => lineOf(line, at)),
      );
    }
  }

  /** The attributes to show of an object that it has, each on one line, cut to 200 characters. */
  of(object: SummaryObject): ShownAttribute[] {
    const type = (attributeText(object, Attributes.type) ?? '').trim().toLowerCase();
    const lines = this.#byType.get(type) ?? this.#byType.get(everyType) ?? [];
    return lines.flatMap(({ attribute, label }) => {
      const values = attributeTexts(object, attribute).slice(0, maxValues);
      const value = values.map((text) => text.replace(/\s+/g, ' ').trim()).join(', ');
      return value === '' ? [] : [{ label, value: cutAtWord(value, maxLength) }];
    });
  }
}

function lineOf(line: unknown, at: number): Line {
  const [, attribute, label] =
    (typeof line === 'string' && /^([A-Za-z][\w-]{0,63})(?:\s+as\s+(.{1,60}))?$/.exec(line.trim())) || [];
  if (attribute === undefined)
    throw bad(at, `shows ${JSON.stringify(line)?.slice(0, 60)}, which is not an attribute`);
  return { attribute, label: label?.trim() ?? attribute.replaceAll('-', ' ') };
}

const bad = (at: number, problem: string) => failure(brokerErrors.BROKER_TEMPLATE, { at, problem });
