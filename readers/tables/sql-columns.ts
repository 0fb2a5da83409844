/** A column of a table as its definition names it. */
export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

const maxDefinition = 256 * 1024;
const constraints = /^(?:constraint|primary|unique|check|foreign|exclude|like|key|index|fulltext)\b/i;

/** The columns of a `CREATE TABLE` statement with their types; of a virtual table its arguments. */
export function sqlColumns(sql: string): SqlColumn[] {
  const text = sql.slice(0, maxDefinition).replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  const open = text.indexOf('(');
  if (open < 0) return [];
  return partsOf(text, open + 1).flatMap((part) => {
    const column =
      /^\s*(?:"((?:[^"]|"")+)"|`([^`]+)`|\[([^\]]+)\]|'([^']+)'|([^\s"'`[(),]+))\s*([\s\S]*)$/.exec(part);
    if (column === null || constraints.test(part.trim())) return [];
    const [, quoted, ticked, bracketed, single, plain, rest = ''] = column;
    const type =
      /^((?:\s*\b(?!(?:primary|not|null|unique|default|check|references|collate|generated|as|constraint|on|auto_?increment)\b)[A-Za-z]\w*)*(?:\s*\(\s*\d+\s*(?:,\s*\d+\s*)?\))?)/i.exec(
        rest,
      )?.[1];
    return [
      {
        name: (quoted ?? ticked ?? bracketed ?? single ?? plain ?? '').replaceAll('""', '"'),
        type: (type ?? '').trim().replace(/\s+/g, ' '),
      },
    ];
  });
}

function partsOf(text: string, start: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"' || sign === "'" || sign === '`') {
      const end = text.indexOf(sign, at + 1);
      if (end < 0) break;
      at = end;
    } else if (sign === '(') depth++;
    else if (sign === ')') {
      if (depth === 0) {
        parts.push(text.slice(from, at));
        return parts;
      }
      depth--;
    } else if (sign === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
