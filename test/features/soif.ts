import type { Area } from './feature.ts';

export const soif: Area = {
  'soif.print': {
    feature:
      'Summary objects are printed as SOIF text in the form that Harvest printed, with sizes in bytes.',
    test: 'an object is printed as Harvest printed it, sizes in bytes',
  },
  'soif.rfc2655': {
    feature: 'A SOIF record as RFC 2655 writes it is read and is printed again byte for byte.',
    test: 'a record as RFC 2655 writes it is read, and printed again to the same bytes',
  },
  'soif.round-trip': {
    feature: 'Parsing a printed object gives the same object, wherever the stream is cut.',
    test: 'parse(print(x)) = x, wherever the text is cut in two',
  },
  'soif.any-bytes': {
    feature: 'An attribute value may hold any byte, such as NUL, braces or whole objects.',
    test: 'values hold any byte: NUL, braces, at signs, whole objects',
  },
  'soif.lenient-tokens': {
    feature: 'The brace may touch the template type, and white space and CR LF around tokens are accepted.',
    test: 'the brace may touch the template type, and white space is free around tokens',
  },
  'soif.empty-values': {
    feature: 'Empty values, objects without attributes, repeated names and the URL `-` are kept as they are.',
    test: 'empty values, empty lists, repeats in order and "-" for no URL are kept',
  },
  'soif.names': {
    feature: 'Attribute names compare without regard to case, and the first of a name counts.',
    test: 'names match without regard to case, and the first of a name counts',
  },
  'soif.multi-value': {
    feature: 'Several values of a name are numbered, as in `Author-1` and `Author-2`.',
    test: 'one value keeps the bare name, several are numbered from 1, none gives nothing',
  },
  'soif.stream': {
    feature: 'A SOIF stream has the sections DELETE, REFRESH and UPDATE, also when they are empty.',
    test: 'a stream has its three sections in order, empty ones too',
  },
  'soif.sections': {
    feature: 'The parser reports the section and the place of each object of a stream.',
    test: 'the sections of a stream are told apart, also on one line',
  },
  'soif.junk': {
    feature: 'Bytes before an object are skipped and counted.',
    test: 'bytes before an object are skipped and counted',
  },
  'soif.limits': {
    feature: 'Values, objects, names and URLs above their limits are refused.',
    test: 'every limit is kept, and what just fits passes',
  },
  'soif.claimed-size': {
    feature: 'A declared size reserves no memory before the bytes arrive.',
    test: 'a large size is only a claim: memory grows with what arrives',
  },
  'soif.no-resync': {
    feature: 'A wrong delimiter never makes the parser look for objects inside a value.',
    test: 'a wrong delimiter never makes the parser look inside the value',
  },
  'soif.recovery': {
    feature: 'After a fault the parser discards the damaged object and goes on with the next one.',
    test: 'values of a discarded object are skipped by count, whatever damaged it',
  },
  'soif.no-false-object': {
    feature: 'One changed byte in a name or delimiter never produces an object that was not there.',
    test: 'one changed byte in a name or delimiter never brings a false object',
  },
  'soif.truncated': {
    feature: 'A stream that is cut reports exactly one fault, at the place of the cut.',
    test: 'a cut stream reports one fault',
  },
  'soif.fault-place': {
    feature: 'A fault names its exact byte and line, also after a recovery.',
    test: 'faults carry the exact byte and line after a recovery',
  },
  'soif.mutations': {
    feature: 'Thousands of mutated streams give typed faults and never crash the parser.',
    test: '10000 mutated streams give typed faults, the same however they are cut',
  },
  'soif.check': {
    feature:
      '`garner soif check` reports each fault of a file with byte, line and a sentence, and goes on after it.',
    test: 'faults come in order with byte, line and a sentence, and checking goes on',
  },
  'soif.check-warnings': {
    feature: 'The check warns of a missing `Update-Time`, a repeated name and foreign bytes.',
    test: 'a missing Update-Time, a repeated name and foreign bytes are warnings',
  },
  'soif.check-stdin': {
    feature: '`garner soif check -` reads standard input and points at byte and line.',
    test: 'soif check reads standard input and reports byte and line',
  },
  'soif.binary': {
    feature: 'An object has exactly one binary form, a version byte and a MessagePack array.',
    test: 'the bytes are stable: a version byte and a MessagePack array',
  },
  'soif.binary-round-trip': {
    feature: 'Decoding the binary form gives the object that was encoded.',
    test: 'decode(encode(x)) = x, and the binary form is printed to the same text',
  },
  'soif.binary-damage': {
    feature: 'Damaged or arbitrary bytes decode to an object or to a typed error.',
    test: 'arbitrary and damaged bytes decode to a printable object or a typed error',
  },
  'soif.digest': {
    feature:
      'The digest of a summary ignores `Update-Time` and the case of names, and changes with anything else.',
    test: 'Update-Time and the case of names do not change the digest; anything else does',
  },
  'soif.canonical': {
    feature: 'The canonical bytes behind the digest are as documented.',
    test: 'the canonical bytes are as documented',
  },
  'soif.oid': {
    feature: 'The OID of an object is the hash of its Gatherer and its URL.',
    test: 'an OID is the hash of the Gatherer and the URL, 43 characters, and survives as bytes',
  },
  'soif.signature': {
    feature:
      'A signature proves which Gatherer made an object, and no other object, key or time passes for it.',
    test: 'who gathered an object is provable, and nothing else passes for it',
  },
  'soif.identity': {
    feature: 'A server keeps its id and its Ed25519 key when it is started again.',
    test: 'the same secret is the same server again',
  },
  'soif.delta': {
    feature: 'A delta turns one version of an object into another.',
    test: 'a delta makes of any version any other, or is none',
  },
  'soif.delta-size': {
    feature: 'The delta of one changed word in a long text takes fewer than 60 bytes.',
    test: 'a word changed in a long text costs a few bytes, and so do attributes moved, taken out and put in',
  },
  'soif.delta-hostile': {
    feature: 'Arbitrary bytes sent as a delta give an object or a typed error, in bounded memory.',
    test: 'anything may be sent as a delta: an object or a typed error comes of it, and no more memory than allowed',
  },
};
