import type { QueryNode } from '../../query/index.ts';

/** The attribute under which a query names a view: `view: NAME`. */
const viewAttribute = 'view';

/** A query with each `view: NAME` replaced by the view's query. */
export interface ResolvedQuery {
  readonly query: QueryNode;
  readonly views: readonly string[];
  /** Unknown names. They remain plain attributes. */
  readonly unknown: readonly string[];
}

/** Name of the view that a node means, or undefined. */
function viewNamed(node: QueryNode): string | undefined {
  if (node.kind !== 'attribute' || node.name.toLowerCase() !== viewAttribute) return undefined;
  return node.operand.kind === 'word' ? node.operand.word.toLowerCase() : undefined;
}

function namesView(node: QueryNode): boolean {
  if (viewNamed(node) !== undefined) return true;
  if (node.kind === 'and' || node.kind === 'or') return node.operands.some(namesView);
  return node.kind === 'not' || node.kind === 'attribute' ? namesView(node.operand) : false;
}

/** Replace the names of views by their queries; `queryOf` returns a view's own query, resolved. */
export function resolveViews(
  query: QueryNode,
  queryOf: (view: string) => QueryNode | undefined,
): ResolvedQuery {
  const views = new Set<string>();
  const unknown = new Set<string>();
  // An attribute applies to the words under it and not to a view, so it is moved down to the words.
  const resolve = (node: QueryNode, attribute: string | undefined): QueryNode => {
    const name = viewNamed(node);
    if (name !== undefined) {
      const meant = queryOf(name);
      (meant === undefined ? unknown : views).add(name);
      return meant ?? node;
    }
    if (namesView(node))
      switch (node.kind) {
        case 'attribute':
          return resolve(node.operand, node.name);
        case 'and':
        case 'or':
          return { ...node, operands: node.operands.map((operand) => resolve(operand, attribute)) };
        case 'not':
          return { ...node, operand: resolve(node.operand, attribute) };
        default:
      }
    return attribute === undefined ? node : { kind: 'attribute', name: attribute, operand: node };
  };
  return { query: resolve(query, undefined), views: [...views], unknown: [...unknown] };
}

export function nodesOf(node: QueryNode): number {
  if (node.kind === 'and' || node.kind === 'or')
    return node.operands.reduce((sum, operand) => sum + nodesOf(operand), 1);
  return node.kind === 'not' || node.kind === 'attribute' ? 1 + nodesOf(node.operand) : 1;
}
