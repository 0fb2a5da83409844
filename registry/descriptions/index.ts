// What servers say of themselves: tables of attributes, the description that a server signs, and what is counted in it.
// Read attributes.ts, then description.ts.

export {
  type AttributeNote,
  attributeTables,
  isServerType,
  type ServerType,
  serverAttributes,
  serverTypes,
} from './attributes.ts';
export { CollectionSample } from './collection-sample.ts';
export {
  type DescribedAttribute,
  descriptionObject,
  isUnreached,
  readDescription,
  type ServerDescription,
} from './description.ts';
export { type Counted, figuresOf, printCounts, type ServerFigures } from './figures.ts';
export { type LinkState, printLinks, publicAddress, type ServerLink } from './links.ts';
