/** FrameMaker's interchange format: statements in angle brackets, one a line. */
export { framemakerAttributes, summariseFramemaker } from './framemaker.ts';
