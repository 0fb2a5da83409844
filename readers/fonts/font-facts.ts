import type { Field } from '../document/index.ts';
import { fact } from '../text/index.ts';

/** The facts of a font; every field may be absent. */
export interface FontFacts {
  /** `TrueType`, `OpenType`, `WOFF2`, `Type 1`, `BDF` ... */
  readonly format: string;
  readonly family?: string | undefined;
  readonly style?: string | undefined;
  readonly fullName?: string | undefined;
  readonly postScriptName?: string | undefined;
  readonly version?: string | undefined;
  readonly copyright?: string | undefined;
  readonly trademark?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly designer?: string | undefined;
  readonly description?: string | undefined;
  readonly licence?: string | undefined;
  readonly glyphs?: number | undefined;
  /** Writing systems it has letters for. */
  readonly scripts?: readonly string[];
  /** Fonts of a collection. */
  readonly faces?: readonly string[];
  readonly weight?: string | undefined;
  readonly fixedPitch?: boolean | undefined;
  /** Pixel height of a bitmap font. */
  readonly pixelSize?: number | undefined;
  readonly encoding?: string | undefined;
  readonly notes: readonly string[];
}

/** Facts as attributes, in the order they are printed. */
export function fontFields(facts: FontFacts): Field[] {
  return [
    fact('Format', facts.format),
    fact('Font-Family', facts.family),
    fact('Font-Style', facts.style),
    fact('PostScript-Name', facts.postScriptName),
    fact('Font-Weight', facts.weight),
    fact('Fixed-Pitch', facts.fixedPitch ? 'yes' : undefined),
    fact('Version', facts.version),
    fact('Author', facts.designer),
    fact('Publisher', facts.manufacturer),
    fact('Description', facts.description),
    fact('Copyright', facts.copyright),
    fact('Trademark', facts.trademark),
    fact('License', facts.licence),
    fact('Glyphs', facts.glyphs),
    fact('Pixel-Size', facts.pixelSize),
    fact('Encoding', facts.encoding),
    fact('Scripts', facts.scripts?.join(', ')),
    ['Faces', facts.faces?.join('\n') ?? ''],
  ];
}
