import { exact, isFields, list, text } from './client/answers.ts';

type State = 'live' | 'late' | 'broken';

/** A server, or a site or server that others name. Every text is fit to be shown. */
export interface ShownNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly url: string;
  /** Undefined for what does not register. */
  readonly state: State | undefined;
  readonly objects: number | undefined;
  /** Seconds since the last renewal; undefined where there was none. */
  readonly age: number | undefined;
  /** The Registry lists it for somebody else, and it has not answered yet. */
  readonly isUnreached: boolean;
}

/** Objects go from one node to another, or the responses of a parent cache. */
export interface ShownEdge {
  readonly from: string;
  readonly to: string;
  readonly state: State;
  readonly age: number;
}

/** What `GET /topology` answered. */
export interface ShownTopology {
  readonly version: string;
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
  readonly more: readonly { readonly type: string; readonly nodes: number; readonly broken: number }[];
}

const maxNodes = 1000;
const maxEdges = 4000;

const number = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined);

const state = (value: unknown): State | undefined =>
  value === 'live' || value === 'late' || value === 'broken' ? value : undefined;

/** Read what `GET /topology` answered; undefined when it is no such answer. */
export function readTopology(json: unknown): ShownTopology | undefined {
  if (!isFields(json) || !Array.isArray(json.nodes) || !Array.isArray(json.edges)) return undefined;
  return {
    version: text(json.version, 40),
    nodes: list(json.nodes, maxNodes, (node): ShownNode | undefined => {
      if (!isFields(node) || exact(node.id) === '') return undefined;
      return {
        ...{ id: exact(node.id), url: exact(node.url), type: text(node.type, 40) },
        name: text(node.name, 80) || text(node.url, 80) || text(node.id, 80),
        ...{ state: state(node.state), objects: number(node.objects) },
        age: node.unreached === true ? undefined : number(node.age),
        isUnreached: node.unreached === true,
      };
    }),
    edges: list(json.edges, maxEdges, (edge): ShownEdge | undefined => {
      if (!isFields(edge)) return undefined;
      const ends = { from: exact(edge.from), to: exact(edge.to) };
      return { ...ends, state: state(edge.state) ?? 'late', age: number(edge.age) ?? 0 };
    }),
    more: list(json.more, 20, (more) =>
      isFields(more)
        ? { type: text(more.type, 40), nodes: number(more.nodes) ?? 0, broken: number(more.broken) ?? 0 }
        : undefined,
    ),
  };
}
