import { attributeNamePattern } from './attribute-policy.ts';

/** A piece of query text. */
export type Lexeme =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'everything' }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'attribute'; readonly name: string };

const quotes = '"“”„‟«»＂';
const blank = /\s/;
const operators: ReadonlyMap<string, 'and' | 'or' | 'not' | 'everything'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
  ['*', 'everything'],
]);
const valueStart = /^[\p{L}\p{N}\p{M}_]/u;

const isQuote = (character: string) => quotes.includes(character);
const endsWord = (character: string) =>
  blank.test(character) || character === '(' || character === ')' || isQuote(character);

/**
 * `Name:rest` as attribute and value, or undefined when it is a word. It is a word when the name does not begin
 * with a letter (`12:30`) or the value does not begin with a letter or digit (`http://x`, `std::string`, `C:\x`).
 * Only the first colon counts: `url:http://x` restricts `http://x` to the URL.
 */
export function splitAttribute(text: string): { name: string; rest: string } | undefined {
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const name = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (!attributeNamePattern.test(name) || (rest !== '' && !valueStart.test(rest))) return undefined;
  return { name, rest };
}

/** Whether a word stands for itself in query text, without quotes. */
export function isPlainWord(word: string): boolean {
  return (
    word !== '' &&
    !operators.has(word) &&
    ![...word].some(endsWord) &&
    (!word.startsWith('-') || word.startsWith('--')) &&
    splitAttribute(word) === undefined
  );
}

/** Cut query text into lexemes; never fails, time linear in the text. `notes` receives what was not understood. */
export function lexQuery(text: string, notes: Set<string>): Lexeme[] {
  const lexemes: Lexeme[] = [];
  let lastQuote = -1;
  for (let index = 0; index < text.length; index++) if (isQuote(text[index] as string)) lastQuote = index;
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    const next = text[at + 1];
    if (blank.test(character)) {
      at++;
    } else if (character === '(' || character === ')') {
      lexemes.push({ kind: character === '(' ? 'open' : 'close' });
      at++;
    } else if (isQuote(character)) {
      if (at === lastQuote) {
        notes.add('a quotation mark has no partner: what follows was searched as words');
        at++;
        continue;
      }
      let end = at + 1;
      while (!isQuote(text[end] as string)) end++;
      lexemes.push({ kind: 'phrase', text: text.slice(at + 1, end) });
      at = end + 1;
    } else if (character === '-' && next !== undefined && next !== '-' && next !== ')' && !blank.test(next)) {
      lexemes.push({ kind: 'not' });
      at++;
    } else {
      let end = at + 1;
      while (end < text.length && !endsWord(text[end] as string)) end++;
      pushWord(text.slice(at, end), lexemes);
      at = end;
    }
  }
  return lexemes;
}

function pushWord(word: string, lexemes: Lexeme[]): void {
  const operator = operators.get(word);
  if (operator !== undefined) {
    lexemes.push({ kind: operator });
    return;
  }
  const split = splitAttribute(word);
  if (split === undefined) {
    lexemes.push({ kind: 'word', text: word });
    return;
  }
  lexemes.push({ kind: 'attribute', name: split.name });
  if (split.rest !== '') lexemes.push({ kind: 'word', text: split.rest });
}
