/** The lines of a text, without their ends (`\n`, `\r\n` or `\r`), each with its offset, one at a time. */
export function* lines(text: string, from = 0): Generator<{ readonly line: string; readonly at: number }> {
  const end = /\r\n?|\n/g;
  let at = from;
  while (at < text.length) {
    end.lastIndex = at;
    const match = end.exec(text);
    if (match === null) {
      yield { line: text.slice(at), at };
      return;
    }
    yield { line: text.slice(at, match.index), at };
    at = end.lastIndex;
  }
}
