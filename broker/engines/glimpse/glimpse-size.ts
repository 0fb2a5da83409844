/** How much the index says of where a word stands: in which eight objects, in which one, or at which place of it. */
export const glimpseSizes = ['tiny', 'small', 'medium'] as const;
export type GlimpseSize = (typeof glimpseSizes)[number];

/** Objects in a block, as a power of two. */
export const blockBits: Readonly<Record<GlimpseSize, number>> = { tiny: 3, small: 0, medium: 0 };

/** Whether the index says where in an object a word stands. */
export const keepsPlaces = (size: GlimpseSize): boolean => size === 'medium';
