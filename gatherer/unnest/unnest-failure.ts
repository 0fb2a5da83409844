import { failure, type GarnerError, isGarnerError } from '../../kernel/index.ts';
import { TooLarge } from '../../readers/archives/index.ts';
import { UnreadVariant } from '../../readers/compression/index.ts';
import { unnestErrors } from './errors.ts';
import { ToolTrouble } from './tool-archive.ts';

/** The typed error for a reader's error over hostile bytes, which becomes the cause. */
export function failureOf(error: unknown, path: string): GarnerError {
  if (isGarnerError(error)) return error;
  if (error instanceof TooLarge)
    return failure(unnestErrors.UNNEST_SIZE, { path, bytes: error.max, what: 'in one member' }, error);
  const reason = error instanceof Error ? error.message : 'its bytes make no sense';
  if (error instanceof ToolTrouble) return failure(unnestErrors.UNNEST_TROUBLE, { path, reason }, error);
  const kind = error instanceof UnreadVariant ? unnestErrors.UNNEST_FORMAT : unnestErrors.UNNEST_BROKEN;
  return failure(kind, { path, reason }, error);
}
