import { open, stat } from 'node:fs/promises';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { failure, type Setting } from '../../kernel/index.ts';
import { nearestSetting } from '../text/did-you-mean.ts';
import type { Mistakes } from './config-errors.ts';
import { cliErrors } from './errors.ts';
import { refusal } from './input-file.ts';

/** The text of a configuration file, and its name in messages. */
export interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

/** One setting as the file has it. */
export interface FileValue {
  readonly raw: string | readonly string[];
  /** `garner.yaml:12` */
  readonly at: string;
  /** The place of each table in a list of tables. */
  readonly each?: readonly string[];
}

const maxFileBytes = 1024 * 1024;

/** Whether this user may not enter the folder of a file, and so cannot know whether the file is there. */
function isInClosedFolder(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES',
  );
}

/**
 * Read a configuration file. With `mayBeAbsent`, undefined when there is none or when this user may not enter its
 * folder. Throws CLI_CONFIG_UNREADABLE.
 */
export async function readConfigFile(
  path: string,
  options: { readonly name?: string; readonly mayBeAbsent?: boolean } = {},
): Promise<ConfigFile | undefined> {
  const name = options.name ?? path;
  const cure = options.mayBeAbsent
    ? 'change to another folder, or give --config FILE'
    : 'give an existing file with --config, or omit --config';
  const named = options.mayBeAbsent ? `${name} in the current folder ` : '';
  const unreadable = (problem: string, cause?: unknown) =>
    failure(cliErrors.CLI_CONFIG_UNREADABLE, { at: name, problem: `${named}${problem}`, cure }, cause);
  try {
    await using file = await open(path);
    // One byte more than the maximum shows a larger file; its stated size proves nothing (a pipe has 0).
    const buffer = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > maxFileBytes) throw unreadable(`is larger than ${maxFileBytes} bytes`);
    return { name, text: buffer.toString('utf8', 0, length) };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
    if (options.mayBeAbsent) {
      if (error.code === 'ENOENT') return undefined;
      if (error.code === 'EACCES' && (await isInClosedFolder(path))) return undefined;
    }
    throw unreadable(refusal(error.code), error);
  }
}

/**
 * The settings of a file, by key. Groups nest (`http:` then `host:`) or are written with dots (`http.host:`). Mistakes
 * are noted with file and line (CLI_CONFIG_SYNTAX, CLI_UNKNOWN_SETTING, CLI_BAD_SETTING), and their settings left out.
 */
export function fileValues(
  settings: readonly Setting[],
  file: ConfigFile,
  mistakes: Mistakes,
): Map<string, FileValue> {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined) => `${file.name}:${lines.linePos(offset ?? 0).line}`;
  const noteSyntax = ({ pos, message }: { pos: readonly [number, number]; message: string }) =>
    mistakes.note(
      failure(cliErrors.CLI_CONFIG_SYNTAX, { at: at(pos[0]), problem: message.split('\n', 1)[0] ?? '' }),
    );
  const doubled = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  for (const fault of doubled) noteSyntax(fault);
  // Errors after another syntax error are mostly its consequences.
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  if (broken !== undefined) {
    noteSyntax(broken);
    return new Map();
  }

  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  const groups = new Set(settings.flatMap(({ key }) => groupsOf(key)));
  const values = new Map<string, FileValue>();
  const bad = (key: string, node: Node | null, problem: string, cure: string) =>
    failure(cliErrors.CLI_BAD_SETTING, { key, at: at(node?.range?.[0]), problem, cure });

  const resolved = (node: unknown): Node | null => {
    if (isAlias(node)) return (node.resolve(document) as Node | undefined) ?? null;
    return (node as Node | null) ?? null;
  };
  const text = (key: string, node: Node | null, around: Node | null): string => {
    if (!isScalar(node)) throw bad(key, node ?? around, 'is not a plain value', 'write it on one line');
    if (node.value === null) throw bad(key, around, 'has no value', `give it a value or remove the line`);
    return node.source ?? String(node.value);
  };
  const rawOf = ({ kind }: Setting, key: string, node: Node | null, keyNode: Node | null) => {
    if (kind === 'list')
      return isSeq(node)
        ? node.items.map((item) => text(key, resolved(item), keyNode))
        : [text(key, node, keyNode)];
    if (kind !== 'records') return text(key, node, keyNode);
    try {
      return JSON.stringify(node?.toJS(document, { maxAliasCount: 100 }) ?? null);
    } catch {
      throw bad(key, keyNode, 'refers to itself or repeats too much', 'write it out');
    }
  };
  // Settings have at most a few groups; a deeper file cannot be all known keys.
  const walk = (node: Node | null, prefix: string): void => {
    // A group whose every line is commented out.
    if (node === null || (isScalar(node) && node.value === null)) return;
    if (!isMap(node)) {
      const holds = isSeq(node) ? 'a list' : isScalar(node) ? 'a bare value' : 'something else';
      mistakes.note(
        prefix === ''
          ? bad(file.name, node, `holds ${holds} instead of settings`, 'write each setting as   key: value')
          : bad(
              prefix.slice(0, -1),
              node,
              `is a group of settings, and here it is ${holds}`,
              'indent its settings below it, each as   key: value',
            ),
      );
      return;
    }
    for (const pair of node.items) {
      const keyNode = resolved(pair.key);
      const key = prefix + (isScalar(keyNode) ? String(keyNode.value) : '?');
      const valueNode = resolved(pair.value);
      const setting = byKey.get(key);
      if (setting === undefined) {
        if (groups.has(key)) walk(valueNode, `${key}.`);
        else
          mistakes.note(
            failure(cliErrors.CLI_UNKNOWN_SETTING, {
              key,
              at: at(keyNode?.range?.[0]),
              near: mistakes.isFull ? undefined : nearestSetting(key, [...byKey.keys(), ...groups]),
            }),
          );
        continue;
      }
      if (values.has(key)) {
        // Where both are in one group, the parser has reported it.
        if (!mistakes.has(at(keyNode?.range?.[0])))
          mistakes.note(bad(key, keyNode, 'is given twice', 'keep one of the two'));
        continue;
      }
      const raw = mistakes.attempt(() => rawOf(setting, key, valueNode, keyNode));
      if (raw === undefined) continue;
      const each =
        setting.kind === 'records' && isSeq(valueNode)
          ? valueNode.items.map((item) => at((item as Node | null)?.range?.[0] ?? keyNode?.range?.[0]))
          : undefined;
      values.set(key, { raw, at: at(keyNode?.range?.[0]), ...(each !== undefined && { each }) });
    }
  };
  walk(document.contents, '');
  return values;
}

function groupsOf(key: string): string[] {
  const parts = key.split('.').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'));
}
