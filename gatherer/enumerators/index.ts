// Roots that are neither a folder nor one web site: FTP and Gopher servers, news groups, mail folders, feeds, git
// repositories, programs that name URLs, and single URLs. Each is an `Enumerator`; what bounds it is a `RootNode`,
// read by `parseRootNode` and judged by a `ScopeRule`, which also says which option decided. `LocalMapping` stands
// in front of a `Fetch` and reads from disk what the provider has there.
export { enumeratorFor, fetchOfAll, localPath, type RootServices } from './enumerator-for.ts';
export { rootErrors } from './errors.ts';
export { LeafEnumerator, type LeafReading } from './leaf-enumerator.ts';
export { leafUrl } from './leaf-reader.ts';
export {
  checkMapping,
  type FallBack,
  LocalMapping,
  type Mapping,
  type MappingCounts,
} from './local-mapping.ts';
export { type FilterRule, parseRootNode, type RootKind, type RootNode, rootSchemes } from './root-node.ts';
