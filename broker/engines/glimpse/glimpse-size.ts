/** How much the index says of where a word stands: in which eight objects, or in which one. */
export const glimpseSizes = ['tiny', 'small'] as const;
export type GlimpseSize = (typeof glimpseSizes)[number];

/** Objects in a block, as a power of two. */
export const blockBits: Readonly<Record<GlimpseSize, number>> = { tiny: 3, small: 0 };
