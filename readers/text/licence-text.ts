import { beginning } from './clean-text.ts';

// Beginnings of sentences that grant, limit or deny rights, from file headers and texts of licences.
const sentences = [
  'this source code form is subject to',
  '(?:this|the) (?:source )?(?:code|file|files|software|program|library|module|package|work|project|script|document|material|font)s? (?:and [^.]{0,60} )?(?:is|are|may be|has been|was) (?:(?:also|hereby|dual[- ]|made|being|free(?:ly)?|available|used|placed|put|provided|distributed|released|covered) ?(?:and |by |to )?)*(?:licen[cs]ed|subject to|governed by|under the|in(?:to)? the public domain|in accordance with|free software|["“\'`]*as[- ]is|bound by)',
  '[\\w+.-]+(?: [\\w+.-]+)? is (?:free software|licen[cs]ed under|distributed under|released under|open source software licen[cs]ed)',
  '(?:dual[- ])?(?:licen[cs]ed|released|distributed|published|available|made available|provided) (?:under|to the apache|subject to|according to|pursuant to)',
  '(?:use|usage|copying|modification|(?:re)?distribution|the use) (?:of|and|,)[^.]{0,120}(?:governed by|permitted|licen[cs]e|subject to|in source and binary)',
  'redistributions? (?:and use|of source|in binary|of this)',
  'permission (?:is (?:hereby )?granted|to use|to copy|is given)',
  'you (?:may|can|should|must|are free to)(?: not)?,? (?:redistribute|[^.]{0,60}(?:under the terms|in compliance with|redistribute it|received a copy|obtain a copy|copy and modify|distribute copies))',
  '(?:unless required by applicable law|see the (?:file )?[`\'"]?(?:licen[cs]e|copying|gnu|notice))',
  'see [`\'"]?(?:licen[cs]e|copying|notice|the \\w+ licen[cs]e)[\\w.]*',
  'for (?:conditions|terms|licen[cs]\\w+|the full copyright|full licen[cs]e|more licen[cs]e|copyright)\\b[^.]{0,80}(?:see|use|refer|visit|copying|licen[cs]e|notice)',
  'the (?:contents|content) of this (?:file|package) (?:is|are) subject',
  'the (?:author|authors|copyright holders?)[^.]{0,60}(?:disclaims?|waives?|hereby|dedicates?)',
  '(?:in no event|under no circumstances) (?:shall|will|are|is)',
  '(?:without|there is no|no|absolutely no) (?:any )?(?:express or implied )?warrant',
  'this (?:file is part of|(?:program|software|library) (?:is|was) distributed in the hope|software is provided)',
  "(?:do not|don't) alter or remove copyright",
  'cddl header start',
  'anyone is free to (?:copy|use)',
  'in jurisdictions that recognize copyright',
  'this is (?:free and unencumbered|free software|unpublished|proprietary|a copyrighted|public domain)',
  '(?:all rights reserved|public domain|licen[cs]e|licen[cs]e(?:d)? (?:notice|information|terms|agreement))[.:]?$',
  '(?:licen[cs]e|licence|spdx-license-identifier|spdx-\\w+)\\s?:',
  '(?:ce (?:logiciel|programme|fichier)|ce code)[^.]{0,60}(?:licence|logiciel libre|r[ée]gi par)',
  '(?:dieses? (?:programm|datei|software|bibliothek))[^.]{0,40}(?:freie software|lizenz)',
  'este (?:programa|archivo|fichero)[^.]{0,40}(?:software libre|licencia)',
];
const licence = new RegExp(`^\\W*(?:${sentences.join('|')})`, 'i');
const holder = /^\W*(?:portions )?(?:copyright\b|\(c\)\s|©|copyleft\b|all rights reserved)/i;
const searched = 2000;

/** Whether a sentence or paragraph is the text of a licence or a notice of rights, judged by its first words. */
export function isLicenceText(text: string): boolean {
  const start = beginning(text.trimStart(), searched).replace(/\s+/g, ' ');
  return licence.test(start) || holder.test(start);
}

/** The beginning of a paragraph up to its first sentence about rights; empty when that is its first. */
export function beforeLicenceText(paragraph: string): string {
  const sentence = /[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]*\s*/g;
  let end = 0;
  for (const [found] of beginning(paragraph, searched).matchAll(sentence)) {
    if (isLicenceText(found)) return paragraph.slice(0, end).trimEnd();
    end += found.length;
  }
  return paragraph;
}
