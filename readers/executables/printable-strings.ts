const shortest = 6;
const longest = 2000;
const maxStrings = 100_000;

/** Texts of a program worth keeping, in the order they lie in it. */
export interface ProgramTexts {
  /** Usage, version, copyright, SCCS `@(#)` and RCS marks, addresses. */
  readonly telling: readonly string[];
  /** Texts with words. */
  readonly worded: readonly string[];
  readonly copyrights: readonly string[];
  readonly usages: readonly string[];
  readonly versions: readonly string[];
}

const copyrightLine = /copyright.*\d{4}|copyright \(c\)|\(c\) ?(?:19|20)\d\d|©/i;
const usageText = /^[ \t]{0,80}usage:? /im;
const versionLine =
  /\bversion\b.{0,20}\d|^[\w .(),-]{0,60}\bv?\d+\.\d+(?:\.\d+)+\b.{0,60}$|@\(#\)|\$(?:Id|Revision|Header|Version): /i;
const notVersion = /%|licen[cs]e|https?:|mismatch|differ|support|must|requir|please|[<>]/i;
const addressText = /\bhttps?:\/\/[\w.-]+\.|[\w.+-]{2,64}@[\w-]{1,64}\.[a-z]{2,}|report bugs/i;
const maxLine = 200;
/** Sections may overlap; max bytes that are searched. */
const maxScanned = 64 * 1024 * 1024;

/**
 * Printable texts of at least six characters in binary data, as `strings` finds them, that hold words: an
 * identifier of several letters with a space, or a sentence. After Essence, which extracted the copyright,
 * usage and version strings of programs.
 */
export function programTexts(parts: readonly Uint8Array[]): ProgramTexts {
  const telling = new Set<string>();
  const worded = new Set<string>();
  const copyrights = new Set<string>();
  const usages = new Set<string>();
  const versions = new Set<string>();
  let left = maxScanned;
  for (const bytes of parts) {
    const part = bytes.subarray(0, left);
    left -= part.length;
    for (const text of printableRuns(part)) {
      if (worded.size >= maxStrings) break;
      if (!hasWords(text)) continue;
      worded.add(text);
      const lines = text.split('\n').filter((line) => line.length <= maxLine);
      const owned = lines.find((line) => copyrightLine.test(line));
      const uses = usageText.test(text);
      const dated = lines.find((line) => versionLine.test(line) && !notVersion.test(line));
      if (owned !== undefined) copyrights.add(owned.replace(/^[\s/*#;-]+/, '').trim());
      const usage = uses ? text.slice(Math.max(0, text.search(usageText))).trim() : undefined;
      if (usage !== undefined) usages.add(usage);
      if (dated !== undefined && owned === undefined && !uses) versions.add(dated.trim());
      const kept = usage ?? owned ?? dated ?? lines.find((line) => addressText.test(line));
      if (kept !== undefined) telling.add(kept.trim());
    }
  }
  return {
    telling: [...telling],
    worded: [...worded],
    copyrights: [...copyrights],
    usages: [...usages],
    versions: [...versions],
  };
}

function* printableRuns(bytes: Uint8Array): Generator<string> {
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte >= 32 && byte < 127) || byte === 10 || byte === 9 || byte >= 0xc2) continue;
    // The rest of a UTF-8 character.
    if (byte >= 0x80 && byte < 0xc0 && at > start && (bytes[at - 1] ?? 0) >= 0x80) continue;
    if (at - start >= shortest) {
      const run = bytes.subarray(start, Math.min(at, start + longest));
      yield Buffer.from(run.buffer, run.byteOffset, run.length).toString('utf8').trim();
    }
    start = at + 1;
  }
}

/** Two words with a space, or a mark of a version; machine code that happens to be printable has neither. */
function hasWords(text: string): boolean {
  if (text.includes('\ufffd')) return false;
  if (text.startsWith('@(#)') || text.startsWith('$Id') || addressText.test(text)) return true;
  const words = text.match(/[A-Za-z\u00c0-\u024f]{2,}/g);
  if (words === null || words.length < 2 || !/[A-Za-z):,;][ \n][A-Za-z([<]/.test(text)) return false;
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  if (usageText.test(text)) return true;
  return letters >= text.length / 2 && words.some((word) => /^[A-Z]?[a-z]{2,}$/.test(word));
}
