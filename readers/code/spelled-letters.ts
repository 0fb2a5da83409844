const anyOther = /[^\0-\x7f]/;
const letters = /[^\P{L}\0-\x7f]|[^\P{M}\0-\x7f]|[^\P{N}\0-\x7f]/gu;
// Marks that no program contains by chance; the case of the letter stays visible to patterns.
const spelling = /ZQ([\dA-F]+)QZ|zq([\da-f]+)qz/g;

/**
 * Letters beyond ASCII in identifiers (UAX 31, PEP 3131), spelled in ASCII for the patterns of definitions: `höhe` is
 * `hzqf6qzhe`, `Öse` is `ZQD6QZse`. Code in ASCII stays as it is.
 */
export class SpelledLetters {
  #spells = false;

  spell(code: string): string {
    this.#spells = anyOther.test(code);
    if (!this.#spells) return code;
    return code.replace(letters, (letter) => {
      const number = (letter.codePointAt(0) ?? 0).toString(16);
      return letter === letter.toLowerCase() ? `zq${number}qz` : `ZQ${number.toUpperCase()}QZ`;
    });
  }

  /** A name as the program has it. */
  read(name: string): string {
    if (!this.#spells) return name;
    return name.replace(spelling, (_, upper: string | undefined, lower: string | undefined) =>
      String.fromCodePoint(Number.parseInt(upper ?? lower ?? '', 16)),
    );
  }
}
