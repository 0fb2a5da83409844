// XML as events, well formed or not, without a tree: `readXml` for known formats, `scanXml` and `XmlOutline`
// for others. Read xml-text.ts, then xml-outline.ts.
export { XmlOutline } from './xml-outline.ts';
export { scanXml, type XmlEvents } from './xml-scanner.ts';
export {
  elementTexts,
  localAttribute,
  localName,
  readXml,
  type XmlAttributes,
  type XmlHandler,
} from './xml-text.ts';
