import { hasToken, languageNamed } from '../words/index.ts';
import { timeOfAge } from './range-text.ts';
import { timeSpanOf } from './time-span.ts';
import type { Bound, QueryNode, RangeNode } from './tree.ts';

const modified = 'Last-Modification-Time';

/** Operators of search engines of the Web that only have another name here. */
export const renamedOperators: ReadonlyMap<string, string> = new Map([
  ['intitle', 'Title'],
  ['inurl', 'URL'],
]);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A word, which the index has, beside the expression that decides: it leaves few objects to read. */
const inUrl = (word: string, pattern: string): QueryNode => ({
  kind: 'attribute',
  name: 'URL',
  operand: {
    kind: 'and',
    operands: [
      { kind: 'word', word },
      { kind: 'regex', pattern },
    ],
  },
});

/** Pages of a host and of those below it, or of a folder of the host. */
function site(value: string): QueryNode | undefined {
  const address = value.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^\*?\.+/, '');
  const [host = ''] = /^[^/?#]+/.exec(address) ?? [];
  if (!hasToken(host)) return undefined;
  const path = address.slice(host.length).replace(/\/+$/, '');
  const port = host.includes(':') ? '' : '(?::\\d+)?';
  return inUrl(host, `^[^:]+://(?:[^/?#]*[.@])?${escaped(host)}${port}${escaped(path)}(?:[/?#]|$)`);
}

/** Documents with this ending of their address, or of this type. */
function filetype(value: string): QueryNode | undefined {
  const ending = value.replace(/^\*?\./, '');
  if (!hasToken(ending) || /[/?#]/.test(ending)) return undefined;
  const type: QueryNode = { kind: 'attribute', name: 'Type', operand: { kind: 'word', word: ending } };
  const inAnyCase = escaped(ending).replace(
    /\p{L}/gu,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
  return { kind: 'or', operands: [inUrl(ending, `\\.${inAnyCase}(?:[?#]|$)`), type] };
}

/** Documents in a language, by its code or its name: `german`, `deutsch` and `deu` are `de`. */
function inLanguage(value: string): QueryNode | undefined {
  const code = languageNamed(value) ?? (/^[a-z]{2,3}$/i.test(value) ? value.toLowerCase() : undefined);
  if (code === undefined) return undefined;
  return { kind: 'attribute', name: 'Language', operand: { kind: 'word', word: code } };
}

/** The time of `2024`, `2024-6-1`, `2024/06/01` or, with `now`, of an age, as a bound of a range. */
function timeBound(value: string, now: number | undefined): string | undefined {
  const padded = value.replaceAll('/', '-').replace(/-(\d)(?=-|$)/g, '-0$1');
  if (timeSpanOf(padded, false) !== undefined) return padded;
  return now === undefined ? undefined : timeOfAge({ value }, now)?.value;
}

function modifiedWithin(value: string, range: (bound: Bound) => RangeNode, now: number | undefined) {
  const time = timeBound(value, now);
  if (time === undefined) return undefined;
  return { kind: 'attribute', name: modified, operand: range({ value: time }) } as const;
}

type Operator = (value: string, now: number | undefined) => QueryNode | undefined;

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['site', site],
  ['filetype', filetype],
  ['ext', filetype],
  ['lang', inLanguage],
  ['language', inLanguage],
  ['after', (value, now) => modifiedWithin(value, (from) => ({ kind: 'range', from }), now)],
  [
    'before',
    (value, now) => modifiedWithin(value, (to) => ({ kind: 'range', to: { ...to, exclusive: true } }), now),
  ],
]);

/** What each operator takes, for a note on a value that it cannot use. */
const forms: Readonly<Record<string, string>> = {
  site: 'site:docs.example.org or site:example.org/guide',
  filetype: 'filetype:pdf',
  ext: 'ext:pdf',
  lang: 'lang:de or lang:german',
  language: 'language:de or language:german',
  after: 'after:2024-06-30, after:2024 or after:7d',
  before: 'before:2024-06-30, before:2024 or before:7d',
};

/** A form of an operator that works; undefined where a name is none, or is that of an attribute (`isAttribute`). */
export function operatorForm(name: string, value: string, isAttribute: boolean): string | undefined {
  // The name of a language is understood in its attribute too.
  const isTranslated = name === 'language' && /^[\p{L}\p{M}-]+$/u.test(value);
  return operators.has(name) && (!isAttribute || isTranslated) ? forms[name] : undefined;
}

/** All names of operators, in lower case. */
export const operatorNames: readonly string[] = [...renamedOperators.keys(), ...operators.keys()];

/**
 * What `site:`, `filetype:`, `ext:`, `before:` and `after:` mean in search engines of the Web, as a query; undefined
 * for a value that the operator cannot use.
 */
export function operatorNode(name: string, value: string, now: number | undefined): QueryNode | undefined {
  return operators.get(name)?.(value, now);
}

/** How many nodes of a tree there are, which all count for the limits of a query. */
export function nodesIn(node: QueryNode): number {
  if (node.kind === 'and' || node.kind === 'or')
    return node.operands.reduce((sum, operand) => sum + nodesIn(operand), 1);
  return node.kind === 'attribute' || node.kind === 'not' ? 1 + nodesIn(node.operand) : 1;
}
