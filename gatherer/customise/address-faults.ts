import { pattern } from '../recognise/index.ts';
import type { UrlRewrite } from './url-rewrite.ts';

/** Why a rule and what to write instead. */
export interface AddressFault {
  readonly why: string;
  readonly cure: string;
}

/** What stands for any value where an address is tried. */
const sample = 'x';

/**
 * What is certainly wrong in a rewrite rule, or undefined: a group that its pattern does not have, or, where the
 * pattern takes the whole beginning of a URL, a result that is none. Throws RULE_PATTERN.
 */
export function rewriteFault({ from, to }: UrlRewrite): AddressFault | undefined {
  // An alternative that is empty fits anything, and shows the groups.
  const groups = new RegExp(`${pattern(from).source}|`, 'u').exec('') as RegExpExecArray;
  const count = groups.length - 1;
  const names = new Set(Object.keys(groups.groups ?? {}));
  // $$ is a dollar sign; of $10 only $1 is meant where there are fewer groups.
  const marks = [...to.matchAll(/\$(?:\$|&|(\d\d?)|<([^>]*)>)/g)];
  for (const [mark, digits, name] of marks) {
    if (digits !== undefined && (Number(digits.charAt(0)) > count || Number(digits) === 0))
      return {
        why: `${mark} names no group of the pattern, which has ${count}`,
        cure: 'put parentheses around what is to be kept, or write $$ for a dollar sign',
      };
    if (name !== undefined && !names.has(name))
      return { why: `${mark} names no group of the pattern`, cure: `write (?<${name}>...) in the pattern` };
  }
  // Only then the result begins as it is written here; what begins with a group may be anything.
  const isWhole = from.startsWith('^') && !from.includes('|') && !to.startsWith('$');
  if (!isWhole || URL.canParse(to.replace(/\$(?:\$|&|\d\d?|<[^>]*>)/g, sample))) return undefined;
  return {
    why: `what it makes, such as ${to.slice(0, 200)}, is no absolute URL`,
    cure: 'write an address with its scheme, such as https://www.example.org/$1',
  };
}

/** The names in the braces of an access method's address, in order. */
export function attributesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([\w.-]+)\}/g)].map(([, name = '']) => name);
}

/** What is certainly wrong in an access method's address, whatever is filled in; undefined when nothing is. */
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
    why: `${template.slice(0, 200)} makes no http or https address: what is filled in is percent-encoded`,
    cure: 'write an address such as https://www.example.org/view?u={url}',
  };
}
