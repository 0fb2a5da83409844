export { XmlOutline } from './xml-outline.ts';
export { scanXml } from './xml-scanner.ts';
export {
  elementTexts,
  localAttribute,
  localName,
  readXml,
  type XmlAttributes,
  type XmlHandler,
} from './xml-text.ts';
