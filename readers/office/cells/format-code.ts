/** A piece of a number format (ISO/IEC 29500-1 section 18.8.31). */
export interface FormatToken {
  /** `date` is a part of a date or time, `elapsed` one in brackets, `digit` a placeholder. */
  readonly kind:
    | 'literal'
    | 'date'
    | 'elapsed'
    | 'digit'
    | 'point'
    | 'group'
    | 'percent'
    | 'exponent'
    | 'half';
  readonly text: string;
}

/** One of the sections of a number format, which semicolons part. */
export interface FormatSection {
  readonly tokens: readonly FormatToken[];
  /** The numbers it is for, such as `>=` and 100, when it says so. */
  readonly condition?: { readonly sign: string; readonly than: number };
  /** The language of names of months and days, as a tag or a Windows identifier in hex. */
  readonly language?: string;
  /** Whether it shows the number in the general way. */
  readonly general: boolean;
  /** Whether it is for texts. */
  readonly text: boolean;
}

const maxCode = 1000;
const pieces =
  /"([^"]*)"?|\\(.)|[_*](.)|\[([^\]]*)\]|(General)|(AM\/PM|A\/P|上午\/下午|午前\/午後)|(E[+-])|[Bb][12]|(y+|m+|d+|h+|s+|e+|b+|g+)|([0#?])|(\.)|(,)|(%)|(;)|(@)|([\s\S])/giu;

/** The sections of a format code; of a code longer than any program writes only the beginning counts. */
export function formatSections(code: string): readonly FormatSection[] {
  const sections: FormatSection[] = [];
  let open = new SectionBuilder();
  for (const match of code.slice(0, maxCode).matchAll(pieces)) {
    if (match[13] === undefined) open.take(match);
    else {
      sections.push(open.end());
      open = new SectionBuilder();
    }
  }
  return [...sections, open.end()];
}

class SectionBuilder {
  readonly #tokens: FormatToken[] = [];
  #condition: FormatSection['condition'];
  #language: string | undefined;
  #general = false;
  #text = false;

  take(match: RegExpExecArray | RegExpMatchArray): void {
    const [, quoted, escaped, , bracket, general, half, exponent, date, digit, point, group, percent, , at] =
      match;
    const literal = quoted ?? escaped ?? match[15];
    if (bracket !== undefined) this.#bracket(bracket);
    else if (general !== undefined) this.#general = true;
    else if (half !== undefined) this.#add('half', half);
    else if (date !== undefined) this.#add('date', date.toLowerCase());
    else if (digit !== undefined) this.#add('digit', digit);
    else if (point !== undefined) this.#add('point', point);
    else if (group !== undefined) this.#add('group', group);
    else if (percent !== undefined) this.#add('percent', percent);
    else if (exponent !== undefined) this.#add('exponent', exponent);
    else if (at !== undefined) this.#text = true;
    else if (literal !== undefined) this.#add('literal', literal);
  }

  end(): FormatSection {
    return {
      tokens: this.#tokens,
      general: this.#general,
      text: this.#text,
      ...(this.#condition === undefined ? {} : { condition: this.#condition }),
      ...(this.#language === undefined ? {} : { language: this.#language }),
    };
  }

  #add(kind: FormatToken['kind'], text: string): void {
    this.#tokens.push({ kind, text });
  }

  /** Colours and forms of digits are passed over. */
  #bracket(text: string): void {
    const [, sign, than] = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/.exec(text) ?? [];
    const [, currency, language] = /^\$([^-]*)(?:-(.*))?$/.exec(text) ?? [];
    if (/^(?:h+|m+|s+)$/i.test(text)) this.#add('elapsed', text.toLowerCase());
    else if (sign !== undefined) this.#condition = { sign, than: Number(than) };
    else if (currency !== undefined) {
      if (currency !== '') this.#add('literal', currency);
      this.#language = language;
    }
  }
}
