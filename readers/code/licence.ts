import { beginning } from '../text/index.ts';

// Well-known phrases, most specific first, from file headers and full licence texts.
const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /same terms as (?:the )?Perl(?: 5)?(?: programming language)?(?: system)?(?: itself)?/i,
    'Artistic-1.0-Perl OR GPL-1.0-or-later',
  ],
  [/Apache License,? (?:Version )?2\.0|apache\.org\/licenses\/LICENSE-2\.0/i, 'Apache-2.0'],
  [/Mozilla Public License,? (?:v(?:ersion)?\.? ?)?2\.0/i, 'MPL-2.0'],
  [/Mozilla Public License,? (?:v(?:ersion)?\.? ?)?1\.1/i, 'MPL-1.1'],
  [/Eclipse Public License(?:,? (?:-|version|v)?\.? ?)*2\.0/i, 'EPL-2.0'],
  [/Eclipse Public License(?:,? (?:-|version|v)?\.? ?)*1\.0/i, 'EPL-1.0'],
  [/Common Development and Distribution License/i, 'CDDL-1.0'],
  [/Boost Software License/i, 'BSL-1.0'],
  [/CC0 1\.0|creativecommons\.org\/publicdomain\/zero/i, 'CC0-1.0'],
  [/This is free and unencumbered software released into the public domain/i, 'Unlicense'],
  [/Python Software Foundation License|PSF LICENSE AGREEMENT/i, 'PSF-2.0'],
  [/SIL Open Font License/i, 'OFL-1.1'],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, 'MIT'],
  [
    /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose with or without fee/i,
    'ISC',
  ],
  [
    /Permission to use, copy, modify,? (?:and )?distribute(?:,? and sell)? this software and its documentation for any purpose/i,
    'HPND',
  ],
  [/This software is provided ["'`]*as[ -]is["'`]*, without any express or implied warranty/i, 'Zlib'],
  [
    /Redistributions? and use in source and binary forms[\s\S]{0,1500}?(?:neither the names?|names? of [\s\S]{0,80}? may not be used)/i,
    'BSD-3-Clause',
  ],
  [/Redistributions? and use in source and binary forms/i, 'BSD-2-Clause'],
  [/MIT[ -]Licen[cs]e|(?:under|terms of) the MIT\b|Licen[cs]e:? MIT\b/i, 'MIT'],
  [/3-Clause BSD|BSD[- ]3[- ]Clause|New BSD Licen[cs]e|BSD-style licen[cs]e/i, 'BSD-3-Clause'],
  [/2-Clause BSD|BSD[- ]2[- ]Clause|Simplified BSD/i, 'BSD-2-Clause'],
  [/Artistic License 2\.0/i, 'Artistic-2.0'],
  [/The "Artistic License"/, 'Artistic-1.0-Perl'],
  [
    /creativecommons\.org\/licenses\/by-sa\/4\.0|Creative Commons Attribution[- ]Share ?Alike 4\.0/i,
    'CC-BY-SA-4.0',
  ],
  [/creativecommons\.org\/licenses\/by\/4\.0|Creative Commons Attribution 4\.0/i, 'CC-BY-4.0'],
];

const publicDomain = /(?:placed|released|dedicated|are|is|was) (?:in|to|into) (?:the )?public domain/i;
const gnu = /GNU (Affero |Lesser |Library )?General Public Licen[cs]e|\b(?:under|the) (L|A)?GPL\b/i;
const gnuVersion = /(?:version|v|GPL-)\s?([1-3](?:\.[01])?)/i;
const searched = 32 * 1024;
const maxExpression = 200;

/** A text's licence as an SPDX expression, by its tags or known phrases; undefined when none is known. */
export function licenceOf(text: string): string | undefined {
  const start = beginning(text, searched).replace(/[\s*#]+/g, ' ');
  const tagged = [...start.matchAll(/SPDX-License-Identifier: ?([\w.+() -]{1,200})/g)].map(
    ([, expression = '']) => spdxExpression(expression),
  );
  const known = [...new Set(tagged)].filter(Boolean);
  if (known.length > 0) return beginning(known.join(' AND '), maxExpression);
  return firstNamed(start) ?? (publicDomain.test(start) ? 'LicenseRef-public-domain' : undefined);
}

/** The licence named first: texts of licences mention others further on. */
function firstNamed(start: string): string | undefined {
  const gnuNamed = gnu.exec(start);
  let first = gnuNamed === null ? undefined : { at: gnuNamed.index, licence: gnuLicence(start, gnuNamed) };
  for (const [phrase, licence] of phrases) {
    const at = phrase.exec(start)?.index;
    if (at !== undefined && at < (first?.at ?? start.length)) first = { at, licence };
  }
  return first?.licence;
}

/** Identifiers and operators; the expression ends at the first other word. */
function spdxExpression(text: string): string {
  const words: string[] = [];
  let wantsIdentifier = true;
  for (const word of text.replace(/[()]/g, ' $& ').split(' ')) {
    if (word === '') continue;
    if (word === '(' || word === ')') {
      words.push(word);
      continue;
    }
    const joins = /^(?:AND|OR|WITH)$/.test(word);
    if (joins === wantsIdentifier) break;
    words.push(word);
    wantsIdentifier = joins;
  }
  return words.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

function gnuLicence(start: string, named: RegExpExecArray): string {
  const letter = (named[1] ?? named[2] ?? '').charAt(0).toUpperCase();
  // The Library General Public License became the Lesser one.
  const family = letter === 'A' ? 'AGPL' : letter === 'L' ? 'LGPL' : 'GPL';
  const near = start.slice(Math.max(0, named.index - 300), named.index + 500);
  const version =
    gnuVersion.exec(start.slice(named.index, named.index + 500))?.[1] ?? gnuVersion.exec(near)?.[1];
  const later = /or ?\(?at your option\)? any later version|or later|any later version/i.test(near);
  if (version === undefined)
    return later ? `${family}-1.0-or-later` : family === 'GPL' ? 'GPL-1.0-or-later' : family;
  const full = version.includes('.') ? version : `${version}.0`;
  return `${family}-${full}${later ? '-or-later' : ''}`;
}

const copyrightLine =
  /^(?=.{0,300}$).*?(?:copyright(?:\s*(?:\(c\)|©))?|\(c\)|©)[\s,:]*(?:\d{4}|[^\n]{0,60}\d{4}|\p{Lu})[^\n]*$/iu;
const maxCopyrights = 64;

/** Lines that name a copyright holder, each once, without repeated white space. */
export function copyrightLines(text: string): string[] {
  const found = new Set<string>();
  for (const line of beginning(text, searched).split('\n')) {
    if (found.size >= maxCopyrights) break;
    if (line.length > 300 || !/copyright|\(c\)|©/i.test(line)) continue;
    if (!copyrightLine.test(line) || !/\d{4}|copyright\s*(?:\(c\)|©|by)/i.test(line)) continue;
    found.add(line.replace(/\s+/g, ' ').trim());
  }
  return [...found];
}

const authorLine =
  /(?:@author:?|\bauthors?\s*:|\bwritten by:?|\bcontributed by:?|\boriginal author:?)\s*(\S[^\n]{1,120})/gi;
const maxAuthors = 64;

/** Authors named in comments (`@author`, `Author:`, `Written by`), each once. */
export function authorNames(text: string): string[] {
  const found = new Set<string>();
  for (const [, name = ''] of beginning(text, searched).matchAll(authorLine)) {
    const clean = name
      .replace(/<\/?a\b[^>]*>/g, '')
      .replace(/[*\s.,;]+$/g, '')
      .trim();
    if (/\p{L}{2}/u.test(clean) && clean.split(' ').length <= 12) found.add(clean);
    if (found.size >= maxAuthors) break;
  }
  return [...found];
}

// `__author__` of Python, MODULE_AUTHOR of Linux, a gemspec's authors, `$AUTHOR` of Perl, setup(author=...).
const assigned =
  /^[ \t]*(?:__author__|(?:our[ \t]+)?[$@]AUTHORS?|\w{1,20}\.authors?|author|MODULE_AUTHOR|@?authors)[ \t]*(?:=>|[=:(])[ \t]*[[(]?[ \t]*((?:(?:"[^"\n]{1,200}"|'[^'\n]{1,200}')[ \t]*,?[ \t]*){1,20})/gm;

/** Authors that the code itself names by a convention of its language, each once. */
export function assignedAuthors(code: string): string[] {
  const found = new Set<string>();
  for (const [, values = ''] of beginning(code, searched).matchAll(assigned))
    for (const [, double, single] of values.matchAll(/"([^"]+)"|'([^']+)'/g)) {
      const name = (double ?? single ?? '').trim();
      if (/\p{L}{2}/u.test(name) && found.size < maxAuthors) found.add(name);
    }
  return [...found];
}
