import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractOf } from '../../testing/extract-reading.ts';
import { summariseRfc } from './rfc.ts';

// In the layout of RFC 2616's first pages, with our own text.
const rfc = `Network Working Group                                      R. Fielding
Request for Comments: 9999                                   UC Irvine
Obsoletes: 2068, 2069                                   J. Gettys, Ed.
BCP: 14                                                     Compaq/W3C
Category: Standards Track                           T. Berners-Lee
                                                               W3C/MIT
                                                             June 1999


                Carrying Words -- WORD/1.1
                     Second Edition

Status of this Memo

   This document specifies nothing.

Abstract

   Words are carried from one place to another.

   A second paragraph that goes on over the

Fielding, et al.            Standards Track                     [Page 1]
\f
RFC 9999                       WORD/1.1                        June 1999


   end of a page.

Table of Contents

   1   Introduction ...................................................7
   1.1    Purpose......................................................7

1 Introduction

   As RFC 2119 and [RFC822] say.

1.1 Purpose

   +------+------+
   | a    | b    |
   +------+------+

Appendix A. Words

   More.
`;

test('an RFC: first lines, abstract, sections, pages', async () => {
  const { title, fields, body } = await extractOf(summariseRfc, 'rfc9999.txt', rfc);
  assert.equal(title, 'Carrying Words -- WORD/1.1 Second Edition');
  assert.deepEqual(Object.fromEntries(fields), {
    Number: 'RFC 9999',
    'Author-1': 'R. Fielding',
    'Author-2': 'J. Gettys, Ed.',
    'Author-3': 'T. Berners-Lee',
    'Institution-1': 'UC Irvine',
    'Institution-2': 'Compaq/W3C',
    'Institution-3': 'W3C/MIT',
    Date: 'June 1999',
    Category: 'Standards Track',
    Obsoletes: '2068, 2069',
    Series: 'BCP 14',
    Abstract:
      'Words are carried from one place to another.\nA second paragraph that goes on over the end of a page.',
    'See-Also': 'RFC 2119, RFC 822',
    Headings: 'Status of this Memo\nAbstract\n1 Introduction\n1.1 Purpose\nAppendix A. Words',
  });
  assert.doesNotMatch(body, /\[Page|RFC 9999 +WORD|\.\.\.\./);
  assert.match(body, /goes on over the end of a page\./);
});

test('an Internet-Draft', async () => {
  const draft = `



DNSOP Working Group                                          D. Lawrence
Internet-Draft                                       Akamai Technologies
Updates: 1034, 1035 (if approved)                              W. Kumari
Intended status: Standards Track                                 P. Sood
Expires: April 1, 2019                                            Google
                                                      September 28, 2018


              Serving Stale Data
                    draft-ietf-dnsop-serve-stale-01

Abstract

   This draft defines a method.

Authors' Addresses

   David Lawrence
`;
  const { title, value } = await extractOf(summariseRfc, 'draft.txt', draft);
  assert.equal(title, 'Serving Stale Data');
  assert.equal(value('Number'), 'draft-ietf-dnsop-serve-stale-01');
  assert.deepEqual(
    [1, 2, 3].map((at) => value(`Author-${at}`)),
    ['D. Lawrence', 'W. Kumari', 'P. Sood'],
  );
  assert.equal(value('Date'), 'September 28, 2018');
  assert.equal(value('Category'), 'Standards Track');
  assert.equal(value('Updates'), '1034, 1035 (if approved)');
  assert.equal(value('Expires'), 'April 1, 2019');
  assert.equal(value('Abstract'), 'This draft defines a method.');
});
