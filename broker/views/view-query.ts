import type { QueryNode } from '../../query/index.ts';

/** The attribute under which a query names a view: `view: NAME`. */
const viewAttribute = 'view';

/** A query with each `view: NAME` in the place of what the view means. */
export interface ResolvedQuery {
  readonly query: QueryNode;
  /** Views that it names. */
  readonly views: readonly string[];
  /** Names that no view has; they stay the attribute that they look like. */
  readonly unknown: readonly string[];
}

/** Name of the view that a node stands for, or undefined. */
function viewNamed(node: QueryNode): string | undefined {
  if (node.kind !== 'attribute' || node.name.toLowerCase() !== viewAttribute) return undefined;
  return node.operand.kind === 'word' ? node.operand.word.toLowerCase() : undefined;
}

function namesView(node: QueryNode): boolean {
  if (viewNamed(node) !== undefined) return true;
  if (node.kind === 'and' || node.kind === 'or') return node.operands.some(namesView);
  return node.kind === 'not' || node.kind === 'attribute' ? namesView(node.operand) : false;
}

/** Put what views mean in the places of their names; `queryOf` gives a view's own query, resolved. */
export function resolveViews(
  query: QueryNode,
  queryOf: (view: string) => QueryNode | undefined,
): ResolvedQuery {
  const views = new Set<string>();
  const unknown = new Set<string>();
  // An attribute counts for the words under it and for no view: it is moved down to them.
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

/** How many nodes a query has. */
export function nodesOf(node: QueryNode): number {
  if (node.kind === 'and' || node.kind === 'or')
    return node.operands.reduce((sum, operand) => sum + nodesOf(operand), 1);
  return node.kind === 'not' || node.kind === 'attribute' ? 1 + nodesOf(node.operand) : 1;
}
