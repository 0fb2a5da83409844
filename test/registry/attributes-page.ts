import { type AttributeNote, attributeTables, serverTypes } from '../../registry/index.ts';

const attributeForms: Readonly<Record<AttributeNote['kind'], string>> = {
  ...{ text: 'text', number: 'whole number', lease: 'seconds', lines: 'lines' },
  ...{ links: 'lines `STATE URL`', encoded: 'encoded' },
};

/** docs/registry-attributes.md; `generated` says that it is not written by hand. */
export function registryAttributesPage(generated: string): string {
  const parts = [
    '# Descriptions of servers: every attribute',
    generated,
    'A Registry refuses a description without a mandatory attribute with `REGISTRY_ATTRIBUTE`, which names it. It keeps',
    'every other attribute too, finds it and shows it. The URL of a description is the address of the server: http or',
    'https, without a user, a query and a fragment. A text has at most 2,000 characters, `lines` at most 256 lines, and a',
    'whole description at most 160 KiB.',
    '',
    'A line of links is `STATE URL` or `STATE URL SERVERID`. The state is `live`, `late` (has not worked yet, or is paused)',
    'or `broken`. The URL is `-` where only the server id is known.',
  ];
  for (const type of serverTypes) {
    const { mandatory, recommended } = attributeTables[type];
    const rows = [
      ...mandatory.map((note) => ({ ...note, need: 'mandatory' })),
      ...recommended.map((note) => ({ ...note, need: 'recommended' })),
    ];
    parts.push('', `## ${type}`, '', '| attribute | | form | what it holds |', '| --- | --- | --- | --- |');
    for (const { name, need, kind, what } of rows)
      parts.push(`| \`${name}\` | ${need} | ${attributeForms[kind]} | ${what} |`);
  }
  return `${parts.join('\n')}\n`;
}
