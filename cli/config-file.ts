import { open } from 'node:fs/promises';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { failure, type Setting } from '../kernel/index.ts';
import { nearestSetting } from './did-you-mean.ts';
import { cliErrors } from './errors.ts';
import { refusal } from './input-file.ts';

/** The text of a configuration file and the name it is called by in messages. */
export interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

/** One setting as the file has it. */
export interface FileValue {
  readonly raw: string | readonly string[];
  /** `garner.yaml:12` */
  readonly at: string;
  /** Where each table of a list of them begins. */
  readonly each?: readonly string[];
}

const maxFileBytes = 1024 * 1024;

/** Read a configuration file; undefined when there is none and `mayBeAbsent`. Throws CLI_CONFIG_UNREADABLE. */
export async function readConfigFile(
  path: string,
  options: { readonly name?: string; readonly mayBeAbsent?: boolean } = {},
): Promise<ConfigFile | undefined> {
  const name = options.name ?? path;
  const unreadable = (problem: string, cause?: unknown) =>
    failure(cliErrors.CLI_CONFIG_UNREADABLE, { at: name, problem }, cause);
  try {
    await using file = await open(path);
    // One byte more than is allowed tells a larger file, whatever it says its size is (a pipe says 0).
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
    if (error.code === 'ENOENT' && options.mayBeAbsent) return undefined;
    throw unreadable(refusal(error.code), error);
  }
}

/**
 * The settings a file gives, by key. Groups nest (`http:` then `host:`) or are written with dots (`http.host:`).
 * Throws CLI_CONFIG_SYNTAX, CLI_UNKNOWN_SETTING or CLI_BAD_SETTING with file and line.
 */
export function fileValues(settings: readonly Setting[], file: ConfigFile): Map<string, FileValue> {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined) => `${file.name}:${lines.linePos(offset ?? 0).line}`;
  const [fault] = document.errors;
  if (fault !== undefined)
    throw failure(cliErrors.CLI_CONFIG_SYNTAX, {
      at: at(fault.pos[0]),
      problem: fault.message.split('\n', 1)[0] ?? '',
    });

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
  // Settings have at most a few groups; a deeper file cannot be all known keys.
  const walk = (node: Node | null, prefix: string): void => {
    // A group whose every line is commented out.
    if (node === null || (isScalar(node) && node.value === null)) return;
    if (!isMap(node)) {
      const holds = isSeq(node) ? 'a list' : isScalar(node) ? 'a bare value' : 'something else';
      if (prefix === '')
        throw bad(
          file.name,
          node,
          `holds ${holds} instead of settings`,
          'write each setting as   key: value',
        );
      throw bad(
        prefix.slice(0, -1),
        node,
        `is a group of settings, and here it is ${holds}`,
        'indent its settings below it, each as   key: value',
      );
    }
    for (const pair of node.items) {
      const keyNode = resolved(pair.key);
      const key = prefix + (isScalar(keyNode) ? String(keyNode.value) : '?');
      const valueNode = resolved(pair.value);
      const setting = byKey.get(key);
      if (setting === undefined) {
        if (!groups.has(key))
          throw failure(cliErrors.CLI_UNKNOWN_SETTING, {
            key,
            at: at(keyNode?.range?.[0]),
            near: nearestSetting(key, [...byKey.keys(), ...groups]),
          });
        walk(valueNode, `${key}.`);
        continue;
      }
      if (values.has(key)) throw bad(key, keyNode, 'is given twice', 'keep one of the two');
      const raw =
        setting.kind === 'list'
          ? isSeq(valueNode)
            ? valueNode.items.map((item) => text(key, resolved(item), keyNode))
            : [text(key, valueNode, keyNode)]
          : setting.kind === 'records'
            ? JSON.stringify(valueNode?.toJS(document, { maxAliasCount: 100 }) ?? null)
            : text(key, valueNode, keyNode);
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
