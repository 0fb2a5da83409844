/** How much the index says of where a word stands: in which object (a common one in which eight), or at which place of it. */
export const glimpseSizes = ['tiny', 'small', 'medium'] as const;
export type GlimpseSize = (typeof glimpseSizes)[number];

/** Objects in a block of a common word, as a power of two. */
export const blockBits: Readonly<Record<GlimpseSize, number>> = { tiny: 3, small: 0, medium: 0 };

/** Whether the index says where in an object a word stands. */
export const keepsPlaces = (size: GlimpseSize): boolean => size === 'medium';
