import { afterCharacters, nameAt, renderTroff, type TroffValues } from './troff-escapes.ts';

/** The facts that a condition may test besides strings and registers. */
export interface TroffNames extends TroffValues {
  readonly macros: ReadonlyMap<string, unknown>;
}

/** Whether a condition is true, and the part of the line that it governs. */
export interface TroffCondition {
  readonly holds: boolean;
  readonly rest: string;
}

/** A condition of `.if` (groff(7)) as on a terminal, page one; complex arithmetic counts as false. */
export function troffCondition(line: string, names: TroffNames): TroffCondition {
  const written = line.trimStart();
  const negated = written.startsWith('!');
  const { holds, rest } = plainCondition(negated ? written.slice(1) : written, names);
  return { holds: holds !== negated, rest };
}

function plainCondition(text: string, names: TroffNames): TroffCondition {
  const first = text.charAt(0);
  if ('notev'.includes(first) && first !== '' && !/^\w/.test(text.slice(1)))
    return { holds: first === 'n' || first === 'o', rest: text.slice(1) };
  if (/^[dr]\s*\S/.test(text)) {
    const start = text.length - text.slice(1).trimStart().length;
    const name = /^\S*/.exec(text.slice(start))?.[0] ?? '';
    const known =
      first === 'r' ? names.registers.has(name) : names.strings.has(name) || names.macros.has(name);
    return { holds: known, rest: text.slice(start + name.length) };
  }
  if (/^[cmFS]\s/.test(text)) return { holds: false, rest: text.slice(1).trimStart().replace(/^\S*/, '') };
  if (/^['"^|]/.test(text)) return comparison(text, names);
  const end = expressionEnd(text);
  return { holds: numeric(renderTroff(text.slice(0, end), names)), rest: text.slice(end) };
}

/** `'one'other'`: whether the two texts are equal. */
function comparison(text: string, names: TroffNames): TroffCondition {
  const mark = text.slice(0, afterCharacters(text, 0, 1));
  const middle = text.indexOf(mark, mark.length);
  const end = middle < 0 ? -1 : text.indexOf(mark, middle + mark.length);
  if (end < 0) return { holds: false, rest: '' };
  const one = renderTroff(text.slice(mark.length, middle), names);
  const other = renderTroff(text.slice(middle + mark.length, end), names);
  return { holds: one === other, rest: text.slice(end + mark.length) };
}

function expressionEnd(text: string): number {
  let at = 0;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    if (text.charAt(at) !== '\\') at++;
    else if (/[*n]/.test(text.charAt(at + 1))) at = nameAt(text, at + 2).end;
    else if (/[{}]/.test(text.charAt(at + 1))) break;
    else at += 2;
  }
  return Math.min(at, text.length);
}

function numeric(expression: string): boolean {
  const plain = expression.slice(0, 200).replace(/[()]/g, '');
  if (plain.includes(':')) return plain.split(':').some(numeric);
  if (plain.includes('&')) return plain.split('&').every(numeric);
  const parts = /^(!?)(-?[\d.]+)[a-zA-Z]?(?:([<>]=?|==?)(-?[\d.]+)[a-zA-Z]?)?$/.exec(plain);
  if (parts === null) return false;
  const [, not, left, operator, right] = parts;
  const one = Number(left);
  const other = Number(right);
  const holds =
    operator === undefined
      ? one > 0
      : operator.startsWith('<')
        ? one < other || (operator === '<=' && one === other)
        : operator.startsWith('>')
          ? one > other || (operator === '>=' && one === other)
          : one === other;
  return holds !== (not === '!');
}
