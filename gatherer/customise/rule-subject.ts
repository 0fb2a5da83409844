import type { Field } from '../../readers/document/index.ts';
import { nameParts } from '../../soif/index.ts';

/** The object of rules: one summary before it is stored. */
export interface RuleSubject {
  readonly url: string;
  readonly type: string;
  readonly attributes: readonly Field[];
}

/** Every value of an attribute, its numbered forms included: `author` names Author, Author-1, Author-2. */
export function valuesOf(subject: RuleSubject, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  if (wanted === 'url') return [subject.url];
  if (wanted === 'type') return [subject.type];
  return subject.attributes.filter(([own]) => names(own, wanted)).map(([, value]) => value);
}

/** The subject without an attribute, its numbered forms included. */
export function without(subject: RuleSubject, name: string): RuleSubject {
  const wanted = name.toLowerCase();
  return { ...subject, attributes: subject.attributes.filter(([own]) => !names(own, wanted)) };
}

/** The subject with one value for an attribute, in the same place. */
export function withValue(subject: RuleSubject, name: string, value: string): RuleSubject {
  const wanted = name.toLowerCase();
  const at = subject.attributes.findIndex(([own]) => names(own, wanted));
  const spelled = subject.attributes[at]?.[0].toLowerCase() === wanted ? subject.attributes[at]?.[0] : name;
  const others = without(subject, name).attributes;
  const before = at < 0 ? others.length : at;
  return {
    ...subject,
    attributes: [...others.slice(0, before), [spelled ?? name, value], ...others.slice(before)],
  };
}

function names(own: string, wanted: string): boolean {
  const lower = own.toLowerCase();
  if (lower === wanted) return true;
  const { embed, base } = nameParts(lower);
  return embed.length === 0 && base === wanted;
}
