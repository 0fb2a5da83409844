import { linesOf } from '../text/index.ts';
import { type JsonEvents, scanJson } from './json-scanner.ts';

/** Lines of which most must be JSON texts of their own. */
const sampledLines = 200;

/** Without the record separator of JSON text sequences (RFC 7464). */
const bareLine = (line: string) => line.replace(recordSeparator, '').trim();
const recordSeparator = String.fromCharCode(0x1e);

/** The JSON text of a line, or undefined; in a list of objects a comma may end it. */
function textOfLine(line: string): string | undefined {
  const bare = bareLine(line);
  const text = bare.startsWith('{') ? bare.replace(/,$/, '') : bare;
  if (!/^(?:\{.*\}|\[.*\])$/s.test(text)) return undefined;
  return lenientJson(text) === undefined ? undefined : text;
}

const noNumbers = /([:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,}\]])/g;

/** The value of a JSON text, in which Python may have written `NaN`, read as null; undefined for another text. */
export function lenientJson(text: string): unknown {
  for (const written of [text, text.replace(noNumbers, '$1null')])
    try {
      return JSON.parse(written);
    } catch {
      // The other writing may be read.
    }
  return undefined;
}

/** Whether a text holds an object or a list on most of its lines (JSON lines, or a list with an object a line). */
export function isJsonLines(text: string): boolean {
  let lines = 0;
  let good = 0;
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue;
    lines++;
    if (textOfLine(line) !== undefined) good++;
    if (lines >= sampledLines) break;
  }
  return good >= 2 && good * 2 >= lines;
}

/** Read JSON lines one by one; returns the number of lines that are no JSON, which are left out. */
export function scanJsonLines(text: string, events: JsonEvents): number {
  let bad = 0;
  for (const line of linesOf(text)) {
    const found = textOfLine(line);
    if (found !== undefined) scanJson(found, events);
    // The brackets around a list are no fault.
    else if (!/^[[\]]?$/.test(bareLine(line))) bad++;
  }
  return bad;
}
