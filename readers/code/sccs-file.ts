/** One delta of an SCCS file. */
export interface SccsDelta {
  readonly number: string;
  /** `YY/MM/DD HH:MM:SS` as ISO 8601, without a zone: SCCS stores local time. */
  readonly date: string;
  readonly author: string;
  readonly comment: string;
}

/** The facts of an SCCS file (sccsfile(5)). */
export interface SccsFile {
  /** The newest first. */
  readonly deltas: readonly SccsDelta[];
  readonly description: string;
  /** The file as the newest delta has it. */
  readonly text: string;
}

const maxDeltas = 20_000;
const mark = '\x01';

/** Read an SCCS file, whose control lines begin with the character 1. Lines within a deletion are left out. */
export function readSccsFile(source: string): SccsFile {
  const deltas: { number: string; date: string; author: string; comment: string }[] = [];
  const description: string[] = [];
  const text: string[] = [];
  const deletions: string[] = [];
  let inDescription = false;
  let encoded = false;
  for (const line of source.split(/\r?\n/)) {
    if (!line.startsWith(mark)) {
      if (inDescription) description.push(line);
      // A file with the e flag is uuencoded.
      else if (deletions.length === 0 && deltas.length > 0 && !encoded) text.push(line);
      continue;
    }
    const rest = line.slice(2).trim();
    switch (line.charAt(1)) {
      case 'd': {
        const parts = /^([DR])\s+(\S{1,40})\s+(\S{8,10})\s+(\S{8})\s+(\S{1,100})/.exec(rest);
        if (parts !== null && deltas.length < maxDeltas)
          deltas.push({
            number: parts[2] ?? '',
            date: isoDate(parts[3] ?? '', parts[4] ?? ''),
            author: parts[5] ?? '',
            comment: '',
          });
        break;
      }
      case 'c': {
        const last = deltas.at(-1);
        if (last !== undefined && last.comment.length < 8192)
          last.comment += `${last.comment === '' ? '' : '\n'}${rest}`;
        break;
      }
      case 'f':
        if (/^e\s+1/.test(rest)) encoded = true;
        break;
      case 't':
        inDescription = true;
        break;
      case 'T':
        inDescription = false;
        break;
      case 'D':
        if (deletions.length < 10_000) deletions.push(rest);
        break;
      case 'E': {
        const at = deletions.lastIndexOf(rest, deletions.length);
        if (at >= 0) deletions.splice(at, 1);
        break;
      }
    }
  }
  return { deltas, description: description.join('\n'), text: text.join('\n') };
}

function isoDate(day: string, time: string): string {
  const parts = /^(\d{2,4})\/(\d\d)\/(\d\d)$/.exec(day);
  if (parts === null) return '';
  const [, year = '', month, date] = parts;
  // Two digits from 69 on are of the twentieth century (X/Open's rule for SCCS).
  const full = year.length === 4 ? year : `${Number(year) >= 69 ? '19' : '20'}${year}`;
  return `${full}-${month}-${date}T${time}`;
}
