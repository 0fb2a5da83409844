import type { GlimpseSize } from '../settings.ts';

/** Objects in a block of a common word, as a power of two. */
export const blockBits: Readonly<Record<GlimpseSize, number>> = { tiny: 3, small: 0, medium: 0 };

/** Whether the index records the place of a word in an object. */
export const keepsPlaces = (size: GlimpseSize): boolean => size === 'medium';
