import type { DocColumns } from './doc-columns.ts';
import type { IndexState } from './index-state.ts';

/** One moment of the index. A change makes a new one; a search keeps the one it began with. */
export class IndexSnapshot {
  readonly state: IndexState;
  readonly columns: DocColumns;
  #alive: Uint32Array | undefined;

  constructor(state: IndexState, columns: DocColumns) {
    this.state = state;
    this.columns = columns;
  }

  /** Every living docno, ascending; made when it is first needed. */
  get alive(): Uint32Array {
    this.#alive ??= this.columns.alive(this.state.count);
    return this.#alive;
  }

  with(state: Partial<IndexState>, columns: DocColumns = this.columns): IndexSnapshot {
    return new IndexSnapshot({ ...this.state, ...state }, columns);
  }
}
