import { failure } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';

export function storeFailed(path: string, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return failure(cacheErrors.CACHE_STORE_FAILED, { path, reason }, error);
}
