import { defineEvent } from '../../kernel/index.ts';

/** A changed object was held against the standing queries. */
export const objectMatched = defineEvent<{
  /** Queries that there are. */
  queries: number;
  candidates: number;
  evaluated: number;
  matched: number;
  ms: number;
}>('garner:broker:view-match');

/** A webhook was told of changes, or could not be. */
export const webhookSent = defineEvent<{
  view: string;
  /** Its id. */
  webhook: string;
  changes: number;
  /** Of the answer; 0 where there was none. */
  status: number;
  state: 'active' | 'paused';
  error?: string;
}>('garner:broker:webhook');
