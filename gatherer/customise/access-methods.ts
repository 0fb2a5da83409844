import type { Field } from '../../readers/document/index.ts';
import { multiValue } from '../../soif/index.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type RuleSubject, valuesOf } from './rule-subject.ts';

/**
 * How a publisher says an object is opened or queried beside plain fetching (harvest.txt section 5). In `url` the
 * words `{url}` and `{Attribute}` stand for the object's own as it is published, percent-encoded.
 */
export interface AccessMethod {
  /** A word: `query`, `preview`, `rows`. */
  readonly name: string;
  /** What a person reads on the button. */
  readonly title: string;
  readonly url: string;
  /** Every object when absent. */
  readonly condition?: string;
}

/** The attribute that names an access method: its name, its URL, and the rest its title. */
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

  /**
   * The attributes to add; a method whose URL would be none, or not http or https, is left out. Conditions see the URL
   * under which the document was read.
   */
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
    // The cut may fall within a character; half of one cannot be encoded.
    encodeURIComponent(Buffer.from(valuesOf(subject, name)[0]?.slice(0, 2000) ?? '').toString()),
  );
}
