// The message of a client of Harvest's Broker (Broker 1.4, section 5.8 of its manual), on one line:
//   #USER FLAGS #END QUERY    #BULK FLAGS #END QUERY    #ADMIN #password ID COMMAND

export interface ClassicFlags {
  readonly describe: boolean;
  readonly matchedLines: boolean;
  readonly isCaseSensitive: boolean;
  /** Match whole words only; without it, parts of words match too. */
  readonly wholeWords: boolean;
  readonly errors: number | 'best';
  /** Max objects wanted. */
  readonly max: number | undefined;
  readonly attributes: readonly string[];
  /** Only objects changed after this time; seconds since 1970. */
  readonly since: number;
}

export type ClassicMessage =
  | { readonly kind: 'user' | 'bulk'; readonly flags: ClassicFlags; readonly query: string }
  | {
      readonly kind: 'admin';
      readonly password: string;
      readonly command: string;
      readonly argument: string;
    }
  | { readonly kind: 'wrong'; readonly problem: string };

const maxAttributes = 64;
const maxErrors = 8;

const usage = 'send #USER FLAGS #END QUERY, #BULK FLAGS #END QUERY or #ADMIN #password WORD COMMAND';

/** Read a message. Unknown flags are skipped, because other engines have flags of their own. */
export function readClassicMessage(line: string): ClassicMessage {
  const text = line.trim();
  const [, word = '', rest = ''] = /^(#\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const kind = word.toLowerCase();
  if (kind === '#admin') return adminMessage(rest);
  if (kind !== '#user' && kind !== '#bulk') return { kind: 'wrong', problem: usage };
  const end = /(?:^|\s)#END(?:\s+|$)/i.exec(rest);
  if (end === null) return { kind: 'wrong', problem: 'the flags lack #END' };
  return {
    kind: kind === '#user' ? 'user' : 'bulk',
    flags: readFlags(rest.slice(0, end.index)),
    query: rest.slice(end.index + end[0].length).trim(),
  };
}

function adminMessage(rest: string): ClassicMessage {
  const found = /^#password\s+(\S+)\s+#([a-z-]+)\s*([\s\S]*)$/i.exec(rest);
  if (found === null) return { kind: 'wrong', problem: 'send #ADMIN #password WORD #COMMAND' };
  const [, password = '', command = '', argument = ''] = found;
  return { kind: 'admin', password, command: command.toLowerCase(), argument: argument.trim() };
}

function readFlags(text: string): ClassicFlags {
  let [describe, matchedLines, isCaseSensitive, wholeWords] = [false, false, false, false];
  let errors: number | 'best' = 0;
  let max: number | undefined;
  let since = 0;
  const attributes: string[] = [];
  for (const [, flag = '', rest = ''] of text.matchAll(/#([^\s#]+)([^#]*)/g)) {
    const [first = '', second = ''] = rest.trim().split(/\s+/);
    const name = flag.toLowerCase();
    if (name === 'desc') describe = true;
    else if (name === 'opaque') matchedLines = true;
    else if (name === 'since') since = numberOr(first, 0, 2 ** 40);
    else if (name === 'attribute' && /^[\w<>-]{1,128}$/.test(first)) {
      if (attributes.length < maxAttributes) attributes.push(first);
    } else if (name === 'index') {
      const option = first.toLowerCase();
      if (option === 'case') isCaseSensitive = second.toLowerCase() === 'sensitive';
      else if (option === 'matchword') wholeWords = true;
      else if (option === 'error') errors = /^best/i.test(second) ? 'best' : numberOr(second, 0, maxErrors);
      else if (option === 'maxresult' || option === 'maxfiles') max = numberOr(second, 0, 2 ** 31);
    }
  }
  return { describe, matchedLines, isCaseSensitive, wholeWords, errors, max, attributes, since };
}

function numberOr(text: string, otherwise: number, max: number): number {
  return /^\d{1,15}$/.test(text) ? Math.min(Number(text), max) : otherwise;
}
