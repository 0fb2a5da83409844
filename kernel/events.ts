import { channel } from 'node:diagnostics_channel';

/** A named event that a folder publishes and that logs, metrics and progress lines may watch. */
export interface EventChannel<Data> {
  readonly name: string;
  /** Whether there is a subscriber: for events that are costly to make. */
  readonly isWatched: boolean;
  /** Notify the subscribers; costs nothing without one. */
  publish(data: Data): void;
  /** Call `watcher` at every event until the returned function is called. */
  subscribe(watcher: (data: Data) => void): () => void;
}

/** Define an event on `node:diagnostics_channel`; names read `garner:<folder>:<event>`. */
export function defineEvent<Data>(name: `garner:${string}:${string}`): EventChannel<Data> {
  const underlying = channel(name);
  return {
    name,
    get isWatched() {
      return underlying.hasSubscribers;
    },
    publish: (data) => {
      if (underlying.hasSubscribers) underlying.publish(data);
    },
    subscribe: (watcher) => {
      const listener = (message: unknown) => watcher(message as Data);
      underlying.subscribe(listener);
      return () => underlying.unsubscribe(listener);
    },
  };
}
