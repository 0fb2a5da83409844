import { defineEvent } from '../../kernel/index.ts';

/** A changed object was checked against the standing queries. */
export const objectMatched = defineEvent<{
  queries: number;
  candidates: number;
  evaluated: number;
  matched: number;
  ms: number;
}>('garner:broker:view-match');

/** Changes were sent to a webhook, or could not be sent. */
export const webhookSent = defineEvent<{
  view: string;
  webhook: string;
  changes: number;
  /** HTTP status of the answer; 0 where there was none. */
  status: number;
  state: 'active' | 'paused';
  error?: string;
}>('garner:broker:webhook');
