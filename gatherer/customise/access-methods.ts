import type { Field } from '../../readers/document/index.ts';
import { multiValue } from '../../soif/index.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type RuleSubject, valuesOf } from './rule-subject.ts';

/**
 * A way to open or query an object besides plain fetching, declared by the publisher (harvest.txt section 5). In `url`,
 * `{url}` and `{Attribute}` are replaced by the object's published values, percent-encoded.
 */
export interface AccessMethod {
  /** A word: `query`, `preview`, `rows`. */
  readonly name: string;
  /** Text of the button. */
  readonly title: string;
  readonly url: string;
  /** Every object when absent. */
  readonly condition?: string;
}

/** The attribute of an access method. Its value: name, URL, and the rest is the title. */
export const accessMethodAttribute = 'Access-Method';

/** Attaches a publisher's access methods to the objects they fit. */
export class AccessMethods {
  readonly #methods: readonly (AccessMethod & { readonly fits: Condition })[];

  /** Throws RULE_CONDITION, RULE_PATTERN. */
  constructor(methods: readonly AccessMethod[]) {
    this.#methods = methods.map((method) => ({
      ...method,
      fits: method.condition === undefined ? () => true : parseCondition(method.condition),
    }));
  }

  /** The attributes to add; a method without a valid http(s) URL is left out. Conditions see `subject`. */
  fields(subject: RuleSubject, published = subject.url): readonly Field[] {
    const shown = { ...subject, url: published };
    const values = this.#methods
      .filter(({ fits }) => fits(subject))
      .map(({ name, title, url }) => ({ name, title, url: filled(url, shown) }))
      .filter(({ url }) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      .map(({ name, title, url }) => `${name} ${url} ${title}`);
    return multiValue(accessMethodAttribute, values);
  }
}

function filled(template: string, subject: RuleSubject): string {
  return template.replace(/\{([\w.-]+)\}/g, (_, name: string) =>
    // The cut may fall within a surrogate pair; a lone surrogate cannot be encoded.
    encodeURIComponent(Buffer.from(valuesOf(subject, name)[0]?.slice(0, 2000) ?? '').toString()),
  );
}
