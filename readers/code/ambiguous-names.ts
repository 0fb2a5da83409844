import { scanCode } from './code-scanner.ts';
import { lexes } from './lexis.ts';

const searched = 16 * 1024;

/** A language of an extension that several have, and what its programs show. */
interface Candidate {
  /** As in the table of languages. */
  readonly name: string;
  /** Matched against the beginning of the program, without the comments of C where `code` is set. */
  readonly shown: RegExp;
  readonly code?: true;
}

const objectiveC =
  /^\s*(?:@(?:interface|implementation|protocol|class|import|property|end)\b|#[ \t]*import\b)/m;
const cPlusPlus =
  /^\s*(?:(?:template\s*<|namespace\b[\w\s:]*\{|using\s+(?:namespace\s+)?\w|(?:public|private|protected)\s*(?:slots|\w+_SLOTS)?\s*:)|(?:export\s+)?class\s+(?:\w+\s+){0,3}\w+\s*(?:final\s*)?[:;{]|#[ \t]*include\s*<\w+>)|\b(?:std::\w|virtual\s|constexpr\s|nullptr\b)/m;

// The first whose pattern matches is the language.
const candidates: Readonly<Record<string, readonly Candidate[]>> = {
  h: [
    { name: 'Objective-C', shown: objectiveC, code: true },
    { name: 'C++', shown: cPlusPlus, code: true },
  ],
  m: [
    { name: 'Objective-C', shown: objectiveC, code: true },
    { name: 'Mercury', shown: /^:-[ \t]*module\b/m },
    { name: 'Mathematica', shown: /^(?:\(\*|BeginPackage\[|Begin\["|\w+::usage\s*=)/m },
    {
      name: 'MATLAB',
      shown:
        /^[ \t]*(?:%|function\b|classdef\b|(?:clear|clc|close all|end)\b)|^[ \t]*\w+[ \t]*=.*;[ \t]*(?:%.*)?$/m,
    },
    { name: 'Objective-C', shown: /^#[ \t]*(?:include|define|if)/m },
  ],
  mm: [
    {
      name: 'Objective-C',
      shown: /^#[ \t]*(?:include|import|define|if)|^@(?:interface|implementation|import)\b/m,
    },
  ],
  pl: [
    {
      name: 'Perl',
      shown:
        /^#!.*perl|^\s*(?:use|no|package|require)\s+[\w:.]+[^.]*;|^\s*(?:my|our|local)\s*[$@%(]|^\s*sub\s+\w+|^=(?:pod|head1)\b/m,
    },
    {
      name: 'Prolog',
      shown:
        /^#!.*(?:swipl|prolog)|^:-\s*\S|^\?-\s|^[a-z]\w*(?:\([^\n]*\))?\s*(?::-|-->)|^[a-z]\w*\([^\n]*\)\.\s*(?:%.*)?$/m,
    },
  ],
};

/** The name of the language that a program is in, where its extension is one that several languages have. */
export function languageNameOf(extension: string, text: string): string | undefined {
  const known = Object.hasOwn(candidates, extension) ? candidates[extension] : undefined;
  if (known === undefined) return undefined;
  const start = text.slice(0, searched);
  const code = known.some((candidate) => candidate.code)
    ? withoutGuards(scanCode(start, lexes.c).code)
    : start;
  return known.find((candidate) => candidate.shown.test(candidate.code ? code : start))?.name;
}

/** C without what it says to compilers of C++. */
function withoutGuards(code: string): string {
  let inside = false;
  return code
    .split('\n')
    .filter((line) => {
      if (/^\s*#\s*if(?:def\s+__cplusplus|\s+defined\s*\(?\s*__cplusplus)/.test(line)) inside = true;
      else if (/^\s*#\s*(?:endif|else)/.test(line)) inside = false;
      return !inside;
    })
    .join('\n');
}
