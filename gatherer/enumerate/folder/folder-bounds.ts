import type { ScopeRule } from '../scope-rule.ts';
import type { FolderOptions } from './folder-enumerator.ts';

/** Limits and filters of the enumeration of a folder. */
export type FolderBounds = Pick<FolderOptions, 'maxUrls' | 'maxDepth' | 'limitNames' | 'excluded'>;

/** Bounds of a folder that is a RootNode: its filters, and the tighter of its limits and those of all roots. */
export function folderBounds(
  rule: ScopeRule,
  limits: Pick<FolderOptions, 'maxUrls' | 'maxDepth'>,
): FolderBounds {
  const { urlMax, depth, urlFilter } = rule.root;
  const { maxUrls = Number.POSITIVE_INFINITY, maxDepth = Number.POSITIVE_INFINITY } = limits;
  const ownUrls = urlMax !== undefined && urlMax < maxUrls;
  const ownDepth = depth !== undefined && depth < maxDepth;
  return {
    ...(ownUrls && { maxUrls: urlMax }),
    ...(ownDepth && { maxDepth: depth }),
    limitNames: { ...(ownUrls && { maxUrls: 'url-max' }), ...(ownDepth && { maxDepth: 'depth' }) },
    // The host of a folder's URLs, and with it their scheme, is the root's own.
    ...(urlFilter.length > 0 && {
      excluded: (url) => {
        const verdict = rule.spelled(url);
        return verdict.included ? undefined : verdict.rule;
      },
    }),
  };
}
