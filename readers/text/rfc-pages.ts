const footer = /\[Page\s+[\divxlc]+\]\s*$/i;
const runningHead = /^(?:RFC\s+\d{1,5}|Internet-Draft|INTERNET-DRAFT|RFC-\d+)\s{2,}\S.*\d{4}\s*$/;

/** The lines of an RFC without page breaks, running heads and feet; divided paragraphs are joined. */
export function withoutPages(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let broken = false;
  for (const raw of lines) {
    const line = raw.includes('\f') ? raw.replaceAll('\f', '') : raw;
    if (raw !== line) broken = true;
    const short = line.length <= 200;
    if (short && footer.test(line)) {
      broken = true;
      while (kept.at(-1)?.trim() === '') kept.pop();
      continue;
    }
    if (short && kept.length > 20 && runningHead.test(line)) {
      broken = true;
      continue;
    }
    if (broken) {
      if (line.trim() === '') continue;
      while (kept.at(-1)?.trim() === '') kept.pop();
      if (!continues(kept.at(-1), line)) kept.push('');
      broken = false;
    }
    kept.push(line);
  }
  return kept;
}

/** Whether a line after a page break continues the paragraph before it. */
function continues(before: string | undefined, line: string): boolean {
  if (before === undefined || /[.:!?]["')]?\s*$/.test(before.slice(-4))) return false;
  return /^\s*[\p{Ll}\p{N}(]/u.test(line.slice(0, 200)) && indent(before) === indent(line);
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}
