import type { Field } from '../document/index.ts';
import { beginning, oneLine } from '../text/index.ts';
import { scanXml } from '../xml/index.ts';

// Properties of XMP (ISO 16684-1) and their attributes; later ones fill missing attributes.
const attributes: Readonly<Record<string, string>> = {
  'dc:title': 'Title',
  'dc:creator': 'Author',
  'dc:description': 'Description',
  'dc:subject': 'Keywords',
  'dc:rights': 'Copyright',
  'dc:publisher': 'Publisher',
  'dc:date': 'Date',
  'dc:language': 'Language',
  'cc:license': 'License',
  'xmpRights:WebStatement': 'License',
  'xmp:CreatorTool': 'Software',
  'xmp:CreateDate': 'Date',
  'photoshop:DateCreated': 'Date',
  'photoshop:Headline': 'Headline',
  'photoshop:Credit': 'Credit',
  'photoshop:City': 'City',
  'photoshop:Country': 'Country',
  'Iptc4xmpCore:Location': 'Location',
};

const maxPacket = 4 * 1024 * 1024;
const maxValues = 256;
const maxValue = 8192;

/** The properties of an XMP packet as attributes: several values joined by commas, of languages the first. */
export function xmpFields(packet: string): Field[] {
  const found = new Map<string, string[]>();
  const add = (property: string, text: string) => {
    const value = beginning(oneLine(text), maxValue);
    const list = found.get(property) ?? [];
    if (value === '' || list.length >= maxValues || list.includes(value)) return;
    found.set(property, [...list, value]);
  };
  let property: string | undefined;
  let text = '';
  let items = 0;
  scanXml(packet.slice(0, maxPacket), {
    open(name, values) {
      // Simple properties may be attributes of their description.
      if (name === 'rdf:Description')
        for (const [key, value] of values) if (Object.hasOwn(attributes, key)) add(key, value);
      const resource = values.get('rdf:resource');
      if (Object.hasOwn(attributes, name)) {
        property = name;
        items = 0;
        if (resource !== undefined) add(name, resource);
      }
      text = '';
    },
    text(part) {
      if (property !== undefined && text.length < maxValue) text += part;
    },
    close(name) {
      if (property === undefined) return;
      const languages = property === 'dc:title' || property === 'dc:description' || property === 'dc:rights';
      if (name === 'rdf:li' && !(languages && items > 0)) {
        add(property, text);
        items++;
      } else if (name === property) {
        if (items === 0) add(property, text);
        property = undefined;
      }
      text = '';
    },
  });
  const fields = new Map<string, string>();
  for (const [property, attribute] of Object.entries(attributes)) {
    const values = found.get(property);
    if (values !== undefined && !fields.has(attribute)) fields.set(attribute, values.join(', '));
  }
  return [...fields];
}
