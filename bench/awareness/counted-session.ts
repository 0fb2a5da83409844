import type { Channel, Message, OpenOptions, SendOptions, Session } from '../../wire/index.ts';

/** A field `sig` of 64 bytes with its name in a message. */
const signatureFieldBytes = 70;

/** What passed on a session that its traffic does not tell. */
export class Tally {
  /** Messages, or runs of them, to the store that it answered. */
  rounds = 0;
  /** Bytes of the store's signatures over what it said. */
  signatureBytes = 0;
}

function counted(channel: Channel, tally: Tally): Channel {
  // The message that opened the channel is a question.
  let asked = true;
  const heard = (message: Message | undefined): Message | undefined => {
    if (message === undefined) return message;
    if (asked) tally.rounds++;
    asked = false;
    if (message.sig !== undefined) tally.signatureBytes += signatureFieldBytes;
    return message;
  };
  return {
    id: channel.id,
    send: (message: Message, options?: SendOptions) => {
      asked = true;
      return channel.send(message, options);
    },
    end: () => channel.end(),
    abort: (reason) => channel.abort(reason),
    receive: async (signal) => heard(await channel.receive(signal)),
    [Symbol.asyncIterator]: async function* () {
      for await (const message of channel) yield heard(message) as Message;
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/** The same session, with rounds and signatures counted. */
export function countedSession(session: Session, tally: Tally): Session {
  return {
    peer: session.peer,
    where: session.where,
    traffic: session.traffic,
    measures: session.measures,
    closed: session.closed,
    open: async (first: Message, options?: OpenOptions) => counted(await session.open(first, options), tally),
    close: () => session.close(),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
