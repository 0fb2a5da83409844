import { linesOf } from '../text/index.ts';
import type { DefinitionKind } from './definition-patterns.ts';

/** Called with every name a program defines. */
export type DefinitionFound = (kind: DefinitionKind, name: string) => void;

const maxHeader = 600;
const maxBody = 16 * 1024;
const maxScopes = 100;
const maxName = 200;

/**
 * Definitions of languages with braces where a head may span lines (C, C++, Java, C#): the text between the
 * last `;`, `{` or `}` and a brace decides what the brace opens. Scopes (namespaces, classes) are entered,
 * bodies of functions are skipped. `prototypes`: declarations without a body count too, as in headers.
 */
export function blockDefinitions(code: string, prototypes: boolean, found: DefinitionFound): void {
  const text = withoutPreprocessor(code, found);
  // Whether each open scope began with `typedef`, whose name follows its end.
  const scopes: boolean[] = [];
  let opaque = 0;
  let start = 0;
  let typedefOpen = false;
  let typedefAround = false;
  let oldStyle: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 123) {
      if (opaque > 0) {
        opaque++;
        continue;
      }
      const head = headText(text, start, at);
      const opened = openedBy(head, oldStyle);
      if (opened.name !== undefined && opened.kind !== undefined) found(opened.kind, opened.name);
      if (opened.enumerators) enumerators(text, at + 1, found);
      const typedef = /^typedef\b/.test(head);
      oldStyle = undefined;
      if (opened.scope && scopes.length < maxScopes) scopes.push(typedef);
      else {
        // Code outside of scopes defines nothing.
        opaque = 1;
        typedefAround = typedef;
      }
      typedefOpen = false;
      start = at + 1;
    } else if (sign === 125) {
      if (opaque > 0) {
        opaque--;
        if (opaque === 0) typedefOpen = typedefAround;
      } else typedefOpen = scopes.pop() ?? false;
      if (opaque === 0) start = at + 1;
    } else if (sign === 59 && opaque === 0) {
      const statement = headText(text, start, at);
      oldStyle = statementName(statement, typedefOpen, prototypes, oldStyle, found);
      typedefOpen = false;
      start = at + 1;
    }
  }
}

function headText(text: string, start: number, end: number): string {
  return (
    text
      .slice(Math.max(start, end - maxHeader), end)
      .replace(/@\w+(?:\.\w+)*\s*(?:\([^()]*\))?(?!\s*interface)/g, ' ')
      .replace(
        /__attribute__\s*\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)|__declspec\s*\([^()]*\)|\[\[[^\]]*\]\]/g,
        ' ',
      )
      // `f OF((int))`: parameters that only some compilers were shown.
      .replace(/\b[A-Z_]{1,16}\s*\(\(([^()]*)\)\)/g, '($1)')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

interface Opened {
  readonly scope: boolean;
  readonly kind?: DefinitionKind;
  readonly name?: string;
  readonly enumerators?: boolean;
}

const record =
  /^(?:[^=()]*\b)?(class|struct|union|enum|interface|namespace|record|@interface)\s+(?:class\s+|struct\s+)?(?:[A-Z_]+(?:\([^()]*\))?\s+)?([A-Za-z_][\w:.]*)/;
const notFunctions: ReadonlySet<string> = new Set(
  'if for while switch return sizeof else do catch defined synchronized using try new throw case'.split(' '),
);

function openedBy(head: string, oldStyle: string | undefined): Opened {
  if (/^extern\b[^()]*$/.test(head) && !head.includes('=') && /""|"[\w+]*"$/.test(head))
    return { scope: true };
  const bare = head.replace(/^(?:template\s*<[^{}]*>\s*|public:|private:|protected:|\s)+(?=\w)/, '');
  const name = functionName(bare);
  const named = record.exec(bare);
  // A function may return a struct; a class may have a parenthesis only after its name (record components, macros).
  if (
    named !== null &&
    (name === undefined ||
      named[1] === 'namespace' ||
      named[1] === 'record' ||
      /^(?:\w+\s+)*(?:class|interface)\b/.test(bare))
  ) {
    const [, word = '', title = ''] = named;
    const kind = word === 'class' || word === 'record' ? 'class' : word === 'namespace' ? 'package' : 'type';
    if (bare.includes('=') && word !== 'class') return { scope: false };
    return { scope: word !== 'enum', kind, name: title, enumerators: word === 'enum' };
  }
  if (/\benum\b[^()]*$/.test(bare)) return { scope: false, enumerators: true };
  if (/\b(?:struct|union|namespace)\s*$/.test(bare)) return { scope: true };
  if (name !== undefined) return { scope: false, kind: 'function', name };
  if (oldStyle !== undefined && !head.includes('='))
    return { scope: false, kind: 'function', name: oldStyle };
  return { scope: false };
}

/** The name before the first parenthesis of a declaration, when it declares a function. */
function functionName(head: string): string | undefined {
  // A function that returns a pointer to a function has its name within.
  const pointer = /^[\w\s*]{1,100}\(\s*\*\s*(\w+)\s*\(/.exec(head)?.[1];
  if (pointer !== undefined) return pointer;
  const open = head.indexOf('(');
  if (open < 0) return undefined;
  const before = head.slice(Math.max(0, open - maxName), open).trimEnd();
  if (/[=?]/.test(before) && !/\boperator\b/.test(before)) return undefined;
  const operator = /\b(operator\s*(?:[^\w\s(]{1,3}|\w+|))$/.exec(before)?.[1];
  const name =
    operator ?? /(~?[A-Za-z_$][\w$]*(?:(?:<[^<>()]{0,80}>)?::~?[A-Za-z_$][\w$]*)*)$/.exec(before)?.[1];
  if (name === undefined || notFunctions.has(name) || /^(?:return|else|throw|new|goto)\b/.test(before))
    return undefined;
  return name;
}

const declaredAfter =
  /\)\s*(?:register\s+|const\s+|unsigned\s+|struct\s+)*[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*(?:\[[^\]]*\])*(?:\s*,\s*[\s*]*\w+(?:\[[^\]]*\])*)*$/;

/** The definition of a statement; returns the function whose old-style parameters it begins to declare. */
function statementName(
  statement: string,
  typedefOpen: boolean,
  prototypes: boolean,
  oldStyle: string | undefined,
  found: DefinitionFound,
): string | undefined {
  if (statement === '' && !typedefOpen) return oldStyle;
  const imported =
    /^(import|package|using namespace|using)\s+(?:static\s+)?((?<=namespace\s)[\w:]+|[\w.*]+)$/.exec(
      statement,
    );
  if (imported !== null) {
    found(imported[1] === 'package' ? 'package' : 'import', imported[2] ?? '');
    return undefined;
  }
  if (typedefOpen || /^typedef\b/.test(statement)) {
    const name =
      /\(\s*\*\s*(\w+)\s*\)/.exec(statement)?.[1] ??
      /(\w+)\s*(?:\[[^\]]*\])*(?:\([^()]*\))?$/.exec(statement)?.[1];
    if (name !== undefined) found('type', name);
    return undefined;
  }
  const constant =
    /\bstatic\s+final\s+[\w<>[\], ?]+?\s(\w+)\s*=/.exec(statement)?.[1] ??
    /\b(?:constexpr|const)\s+[\w:<>* ]+?[\s*](\w+)\s*(?:\[[^\]]*\])*\s*=/.exec(statement)?.[1];
  if (constant !== undefined) {
    found('constant', constant);
    return undefined;
  }
  const name = functionName(statement);
  if (name === undefined) return oldStyle;
  if (declaredAfter.test(statement) && !/\)\s*(?:const|override|throws|noexcept)\b/.test(statement))
    return name;
  // A call has no type before its name.
  if (
    prototypes &&
    /^(?:virtual )?~|\(\s*\*\s*\w+\s*\(|^[\w:<>,.*&[\]?$ ]+[\s*&]~?[\w:$]+\s?\(/.test(statement)
  )
    found('function', name);
  return undefined;
}

function enumerators(text: string, start: number, found: DefinitionFound): void {
  // Java's constants end with a semicolon where methods follow.
  const body = text.slice(start, start + maxBody).split(/[};]/, 1)[0] ?? '';
  for (const part of body.split(',')) {
    const name = /^\s*(?:@\w+\s*)?([A-Za-z_]\w*)/.exec(part)?.[1];
    if (name !== undefined) found('constant', name);
  }
}

const directive = /^[ \t]*#[ \t]*(include|import|include_next|define)\b[ \t]*(.*)$/;

/** Lines of a conditional are skipped, since the same head after `#else` would open a second brace. */
type Branch = 'taken' | 'zero' | 'passed';

/** Code without preprocessor lines, which are reported; of two branches the first stays. */
function withoutPreprocessor(code: string, found: DefinitionFound): string {
  if (!/^[ \t]*#/m.test(code)) return code;
  const kept: string[] = [];
  let continued = false;
  const branches: Branch[] = [];
  let passed = 0;
  // Adjacent lines stay together, in as few pieces as possible.
  let at = 0;
  let from = 0;
  for (const line of linesOf(code)) {
    const start = at;
    at += line.length + 1;
    if (!continued && !/^[ \t]*#/.test(line)) {
      if (passed > 0) from = at;
      continue;
    }
    if (start > from) kept.push(code.slice(from, start));
    from = at;
    if (!continued) {
      if (passed === 0) directiveName(line, found);
      passed += conditional(line, branches);
    }
    continued = line.trimEnd().endsWith('\\');
  }
  if (passed === 0 && from < code.length) kept.push(code.slice(from));
  return kept.join('\n');
}

const maxConditions = 1000;

/** Process one directive; returns the change in the number of skipped branches. */
function conditional(line: string, branches: Branch[]): number {
  const word = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b/.exec(line)?.[1];
  if (word === undefined) return 0;
  const before = branches.at(-1);
  if (word === 'endif') return branches.pop() === undefined || before === 'taken' ? 0 : -1;
  if (word === 'elif' || word === 'else') {
    if (before === undefined || before === 'passed') return 0;
    branches[branches.length - 1] = before === 'zero' ? 'taken' : 'passed';
    return before === 'zero' ? -1 : 1;
  }
  if (branches.length >= maxConditions) return 0;
  const zero = /#[ \t]*if[ \t]+0\b/.test(line);
  branches.push(zero ? 'zero' : 'taken');
  return zero ? 1 : 0;
}

function directiveName(line: string, found: DefinitionFound): void {
  const match = directive.exec(line.slice(0, 400));
  if (match === null) return;
  const [, word, rest = ''] = match;
  if (word === 'define') {
    const name = /^\w+/.exec(rest)?.[0];
    // A guard has no value.
    if (name !== undefined && rest.length > name.length && rest.slice(name.length).trim() !== '')
      found('constant', name);
  } else {
    const file = /^[<"]([^>"]+)[>"]/.exec(rest)?.[1];
    if (file !== undefined) found('import', file);
  }
}
