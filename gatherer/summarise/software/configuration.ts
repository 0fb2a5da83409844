import { copyrightLines, licenceOf } from '../../../readers/code/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  decodeText,
  extractOf,
  fact,
  isLicenceText,
  keptLines,
  linesOf,
  NameList,
  numbered,
  oneLine,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of configuration files. */
export const configurationAttributes: readonly AttributeNote[] = [
  { name: 'Description', what: 'First comment that describes the file' },
  { name: 'Sections', what: 'Names of sections ([name], <Name>, name {), one per line' },
  { name: 'Keys', what: 'Names with values, one per line' },
  { name: 'Comment-Lines', what: 'Number of lines that are comments' },
  { name: 'Lines', what: 'Number of lines' },
  { name: 'Copyright', what: 'Lines that name the copyright holder; several are numbered' },
  { name: 'License', what: 'SPDX expression' },
  { name: 'Full-Text', what: 'The whole file' },
  { name: 'Partial-Text', what: 'Text of its comments, sections as headings' },
];

const comment = /^\s*(?:#+|;+|\/\/|!|--)\s?(.*)$/;
const section =
  /^\s*(?:\[+([^\][]{1,200})\]+|<(?!\/)([\w:-]+(?: [^<>]{0,200})?)>|([\w.-]+(?: [^{}=]{0,100})?)\s*\{)\s*$/;
const key = /^\s*(?:set\s+|export\s+|-\s+)?(["']?)([A-Za-z_][\w. /-]{0,99}?)\1\s*(?:[:=]|\s(?=\S)|$)/;
const commentedKey = /^([A-Za-z_][\w.-]{0,99})\s?=\s?[^\s=]/;
const assigned = /[:=]/;
const maxLine = 1000;
const maxCommentLines = 10_000;

/** Configuration files of any dialect: sections, keys and comments; values are only text. */
export const summariseConfiguration: SyncSummariser = (document, options) => {
  const text = decodeText(document.bytes, document.charset).replace(/\r\n?/g, '\n');
  const sections = new NameList();
  const keys = new NameList();
  const blocks = new TextBlocks(options);
  const full = options.text === 'full';
  if (full) blocks.add(keptLines(text), 'paragraph');
  let comments: string[] = [];
  const head: string[] = [];
  let commentLines = 0;
  let lines = 0;
  const flush = () => {
    const block = keptLines(comments.join('\n'));
    comments = [];
    if (!/\p{L}{2}/u.test(block)) return;
    if (head.length < 8) head.push(block);
    if (!full && blocks.open) blocks.add(block, 'paragraph');
  };
  for (const whole of linesOf(text)) {
    lines++;
    const line = whole.length > maxLine ? whole.slice(0, maxLine) : whole;
    const remark = comment.exec(line)?.[1];
    if (remark !== undefined) {
      commentLines++;
      // A default shown as a comment is a key too.
      const shown = commentedKey.exec(remark)?.[1];
      if (shown !== undefined) keys.add(shown);
      if (comments.length < maxCommentLines) comments.push(remark.replace(/^[#;=*-]{2,}|[#;=*-]{2,}$/g, ''));
      continue;
    }
    flush();
    const opened = section.exec(line);
    const name = opened?.[1] ?? opened?.[2] ?? opened?.[3];
    if (name !== undefined) {
      sections.add(name);
      if (!full && blocks.open) blocks.add(oneLine(name), 'heading');
    } else {
      const found = key.exec(line)?.[2];
      if (found !== undefined && (assigned.test(line) || !/\s/.test(found))) keys.add(found);
    }
  }
  flush();
  const start = head.join('\n');
  return extractOf({
    fields: [
      fact('Description', head.find(describes)?.split('\n', 3).join(' ')),
      sections.field('Sections'),
      keys.field('Keys'),
      fact('Comment-Lines', commentLines),
      fact('Lines', lines),
      ...numbered('Copyright', copyrightLines(start)),
      fact('License', licenceOf(start)),
    ],
    blocks,
  });
};

/** Words, not rights and not settings that are commented out. */
function describes(block: string): boolean {
  const spoken = block.split(/\s+/, 4).length > 3 && !isLicenceText(block);
  return spoken && !/copyright|licen[cs]e|[;{}]$|^[\w.-]+\s?=/im.test(block);
}
