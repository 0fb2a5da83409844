import { ByteView, latin1Start } from '../bytes/index.ts';
import { attempted, NameList } from '../text/index.ts';
import { isElf, readElf } from './elf.ts';
import { type ProgramFacts, programNames } from './program-facts.ts';
import { readableSymbol } from './symbol-names.ts';

const maxMembers = 100_000;

/** Whether a file begins as libraries made by `ar` do. */
export function isArLibrary(bytes: Uint8Array): boolean {
  return latin1Start(bytes, 8) === '!<arch>\n';
}

/** Read a static library: the names of its members and the symbols of its index (System V or BSD). */
export function readArLibrary(bytes: Uint8Array): ProgramFacts {
  const file = new ByteView(bytes);
  const members = new NameList();
  const names = programNames();
  const notes: string[] = [];
  let longNames: ByteView | undefined;
  let machine = '';
  let indexed = false;
  let at = 8;
  for (let member = 0; member < maxMembers && at + 60 <= file.length; member++) {
    const field = file.latin1(at, at + 16).trimEnd();
    const size = Number.parseInt(file.latin1(at + 48, at + 58), 10);
    if (!(size >= 0) || file.latin1(at + 58, at + 60) !== '`\n') {
      notes.push('The library is damaged: not all its members were read.');
      break;
    }
    const body = file.part(at + 60, at + 60 + size);
    if (field === '/' || field === '/SYM64/') {
      indexed = true;
      readIndex(body, field === '/' ? 4 : 8, names.defined);
    } else if (field === '//') longNames = body;
    else {
      const name = memberName(field, body, longNames);
      if (!name.startsWith('__.SYMDEF')) members.add(name);
      const isRead = isElf(body.bytes) && (machine === '' || !indexed);
      const elf = isRead ? attempted('A member', notes, () => readElf(body.bytes)) : undefined;
      machine ||= elf?.machine ?? '';
      if (!indexed) for (const symbol of elf?.defined.names ?? []) names.defined.add(symbol);
    }
    at += 60 + size + (size % 2);
  }
  return {
    format: 'ar library',
    machine,
    kind: 'static library',
    ...names,
    members,
    fields: [],
    notes: [...new Set(notes)],
  };
}

function readIndex(body: ByteView, wordSize: number, defined: NameList): void {
  if (body.length < wordSize) return;
  const count = wordSize === 4 ? body.u32(0) : body.u64(0);
  let at = wordSize * (1 + count);
  for (let index = 0; index < count && at < body.length; index++) {
    const end = body.bytes.indexOf(0, at);
    if (end < 0) return;
    defined.add(readableSymbol(body.utf8(at, Math.min(end, at + 500))));
    at = end + 1;
  }
}

function memberName(field: string, body: ByteView, longNames: ByteView | undefined): string {
  const bsd = /^#1\/(\d{1,4})$/.exec(field)?.[1];
  if (bsd !== undefined) return body.utf8(0, Number(bsd)).replace(/\0+$/, '');
  const at = /^\/(\d{1,9})$/.exec(field)?.[1];
  if (at === undefined || longNames === undefined) return field.replace(/\/$/, '');
  const start = Number(at);
  return longNames.utf8(start, start + 500).split(/\/?\n/, 1)[0] ?? field;
}
