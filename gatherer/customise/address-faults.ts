import { pattern } from '../recognise/index.ts';
import type { UrlRewrite } from './url-rewrite.ts';

/** The fault of an address, and the cure. */
export interface AddressFault {
  readonly why: string;
  readonly cure: string;
}

/** Sample value for trying an address. */
const sample = 'x';

/** A certain fault of a rewrite rule: an absent group or a result that is no URL. Throws RULE_PATTERN. */
export function rewriteFault({ from, to }: UrlRewrite): AddressFault | undefined {
  // An empty alternative matches anything and shows the groups.
  const groups = new RegExp(`${pattern(from).source}|`, 'u').exec('') as RegExpExecArray;
  const count = groups.length - 1;
  const names = new Set(Object.keys(groups.groups ?? {}));
  // $$ is a dollar sign; with fewer than ten groups, $10 means $1 and a 0.
  const marks = [...to.matchAll(/\$(?:\$|&|(\d\d?)|<([^>]*)>)/g)];
  for (const [mark, digits, name] of marks) {
    if (digits !== undefined && (Number(digits.charAt(0)) > count || Number(digits) === 0))
      return {
        why: `${mark} names no group of the pattern, which has ${count}`,
        cure: 'put parentheses around the part to keep, or write $$ for a dollar sign',
      };
    if (name !== undefined && !names.has(name))
      return { why: `${mark} names no group of the pattern`, cure: `write (?<${name}>...) in the pattern` };
  }
  // Only then the result begins with fixed text; a group at its beginning may be anything.
  const isWhole = from.startsWith('^') && !from.includes('|') && !to.startsWith('$');
  if (!isWhole || URL.canParse(to.replace(/\$(?:\$|&|\d\d?|<[^>]*>)/g, sample))) return undefined;
  return {
    why: `its result, such as ${to.slice(0, 200)}, is not an absolute URL`,
    cure: 'write an address with its scheme, such as https://www.example.org/$1',
  };
}

/** The names in the braces of an access method's address, in order. */
export function attributesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([\w.-]+)\}/g)].map(([, name = '']) => name);
}

/** A certain fault of an access method's address, for any values; undefined when there is none. */
export function accessUrlFault(template: string): AddressFault | undefined {
  const filled = template.replace(/\{[\w.-]+\}/g, sample);
  const brace = /\{[^}]*\}?|\}/.exec(filled)?.[0];
  if (brace !== undefined)
    return {
      why: `${brace.slice(0, 60)} is no name of an attribute in braces`,
      cure: 'write {url} or an attribute such as {Title}',
    };
  if (/^https?:$/.test(URL.parse(filled)?.protocol ?? '')) return undefined;
  return {
    why: `${template.slice(0, 200)} makes no http or https address: the values are percent-encoded`,
    cure: 'write an address such as https://www.example.org/view?u={url}',
  };
}
