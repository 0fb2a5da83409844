import type { Field } from '../document/index.ts';
import { fact, numbered } from '../text/index.ts';

/** The facts in the header of a picture. */
export interface ImageFacts {
  readonly format: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Bits of one sample. */
  readonly depth?: number | undefined;
  /** `RGB`, `greyscale`, `palette`, with `alpha` where it has that. */
  readonly colour?: string | undefined;
  readonly compression?: string | undefined;
  /** Pictures of an animation, pages of a TIFF, sizes of an icon. */
  readonly frames?: number | undefined;
  readonly layers?: readonly string[];
  readonly title?: string | undefined;
  /** Text of the picture besides standard metadata: comments, text chunks. */
  readonly fields?: readonly Field[];
  readonly comments?: readonly string[];
  readonly notes?: readonly string[];
}

/** Facts as attributes, in the order they are printed. */
export function imageFields(facts: ImageFacts): Field[] {
  const { width, height } = facts;
  const sized =
    width !== undefined && height !== undefined && Number.isFinite(width) && Number.isFinite(height);
  return [
    fact('Format', facts.format),
    fact('Dimensions', sized ? `${width}x${height}` : undefined),
    fact('Width', sized ? width : undefined),
    fact('Height', sized ? height : undefined),
    fact('Bit-Depth', facts.depth),
    fact('Color', facts.colour),
    fact('Compression', facts.compression),
    fact('Frames', facts.frames !== undefined && facts.frames > 1 ? facts.frames : undefined),
    ['Layers', facts.layers?.join('\n') ?? ''],
    ...(facts.fields ?? []),
    ...numbered(
      'Comment',
      [...new Set(facts.comments)].filter((comment) => comment.trim() !== '').slice(0, 32),
    ),
  ];
}
