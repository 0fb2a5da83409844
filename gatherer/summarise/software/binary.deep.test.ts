import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  installedFile,
  scratch,
  summarised,
  toolOutput,
  toolRan,
} from '../../testing/summarise-sample.ts';
import { summariseBinary } from './binary.ts';

const source = `#include <stdio.h>
const char banner[] = "@(#)hello 1.2 Copyright (c) 2001 A. Person";
static int hidden(int x) { return x; }
int exported(int x) { return hidden(x) + 1; }
int main(void) { puts("Usage: hello [options] FILE..."); puts("Report bugs to <a@b.example>."); return exported(0); }
`;

test('ELF objects, executables, libraries of gcc and ar', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'hello.c'), source);
  if (!toolRan(t, folder, 'gcc', ['-c', 'hello.c'], 'gcc')) return;
  const object = await summarised(summariseBinary, readFileSync(join(folder, 'hello.o')), 'hello.o');
  assertHolds(object, {
    'Object-Kind': 'relocatable object',
    'Defined-Symbols': 'banner\nexported\nmain',
    'Undefined-Symbols': 'puts',
    Usage: 'Usage: hello [options] FILE...',
    Copyright: '@(#)hello 1.2 Copyright (c) 2001 A. Person',
  });
  assert.match(object.get('Format') ?? '', /^ELF (?:64|32)-bit/);
  assert.match(object.get('Producer') ?? '', /^GCC: /);
  toolRan(t, folder, 'gcc', ['-s', '-Wl,--build-id=0x0123456789abcdef', 'hello.o', '-o', 'hello'], 'gcc');
  assertHolds(await summarised(summariseBinary, readFileSync(join(folder, 'hello')), 'hello', 'selected'), {
    'Object-Kind': 'executable',
    'Build-Id': '0123456789abcdef',
    Stripped: 'yes',
    'Needed-Libraries': 'libc.so.6',
    'Partial-Text':
      '@(#)hello 1.2 Copyright (c) 2001 A. Person\nUsage: hello [options] FILE...\nReport bugs to <a@b.example>.',
  });
  toolRan(
    t,
    folder,
    'gcc',
    ['-shared', '-fPIC', '-Wl,-soname,libhello.so.3', 'hello.c', '-o', 'libhello.so'],
    'gcc',
  );
  assertHolds(await summarised(summariseBinary, readFileSync(join(folder, 'libhello.so')), 'libhello.so'), {
    'Object-Kind': 'shared library',
    Soname: 'libhello.so.3',
  });
  toolRan(t, folder, 'ar', ['rcs', 'libhello.a', 'hello.o'], 'binutils');
  assertHolds(await summarised(summariseBinary, readFileSync(join(folder, 'libhello.a')), 'libhello.a'), {
    Format: 'ar library',
    Machine: object.get('Machine') ?? '',
    Members: 'hello.o',
    'Defined-Symbols': 'banner\nexported\nmain',
  });
  const samples = ['hello.o', 'hello', 'libhello.so', 'libhello.a'].map((name) =>
    readFileSync(join(folder, name)),
  );
  await assertSurvives(summariseBinary, samples, 'x.o');
});

test('Windows programs and objects of mingw', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'hello.c'), source);
  const mingw = 'x86_64-w64-mingw32-gcc';
  if (!toolRan(t, folder, mingw, ['-c', 'hello.c', '-o', 'hello.obj'], 'gcc-mingw-w64-x86-64-win32')) return;
  writeFileSync(
    join(folder, 'hello.rc'),
    '1 VERSIONINFO\nFILEVERSION 1,2,0,0\nBEGIN\nBLOCK "StringFileInfo"\nBEGIN\nBLOCK "040904B0"\nBEGIN\nVALUE "FileDescription", "Says hello\\0"\nVALUE "CompanyName", "Bees Inc.\\0"\nVALUE "FileVersion", "1.2\\0"\nEND\nEND\nEND\n',
  );
  toolRan(t, folder, 'x86_64-w64-mingw32-windres', ['hello.rc', 'rc.obj'], 'binutils-mingw-w64-x86-64');
  toolRan(t, folder, mingw, ['-s', 'hello.obj', 'rc.obj', '-o', 'hello.exe'], 'gcc-mingw-w64-x86-64-win32');
  assertHolds(await summarised(summariseBinary, readFileSync(join(folder, 'hello.obj')), 'hello.obj'), {
    Format: 'COFF',
    Machine: 'AMD x86-64',
    'Defined-Symbols': 'exported\nmain\nbanner',
    'Undefined-Symbols': '__main\nputs',
  });
  const program = await summarised(summariseBinary, readFileSync(join(folder, 'hello.exe')), 'hello.exe');
  assertHolds(program, {
    Title: 'Says hello',
    Format: 'PE32+',
    Machine: 'AMD x86-64',
    'Object-Kind': 'executable',
    System: 'Windows console',
    Description: 'Says hello',
    Organization: 'Bees Inc.',
    Version: '1.2',
    'Needed-Libraries': 'KERNEL32.dll\nmsvcrt.dll',
    Usage: 'Usage: hello [options] FILE...',
  });
  assert.match(program.get('Undefined-Symbols') ?? '', /^puts$/m);
  await assertSurvives(
    summariseBinary,
    [readFileSync(join(folder, 'hello.exe')), readFileSync(join(folder, 'hello.obj'))],
    'x.exe',
  );
});

test('Mach-O programs of the Go compiler', async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, 'cache'));
  writeFileSync(
    join(folder, 'hello.go'),
    'package main\nfunc main() { println("Usage: hello [options] FILE...") }\n',
  );
  const before = { ...process.env };
  Object.assign(process.env, {
    GOOS: 'darwin',
    GOARCH: 'arm64',
    GO111MODULE: 'off',
    GOCACHE: join(folder, 'cache'),
  });
  try {
    if (!toolRan(t, folder, 'go', ['build', '-o', 'hello', 'hello.go'], 'golang-go')) return;
  } finally {
    process.env = before;
  }
  const bytes = readFileSync(join(folder, 'hello'));
  const found = await summarised(summariseBinary, bytes, 'hello');
  assertHolds(found, {
    Format: 'Mach-O 64-bit',
    Machine: 'ARM AArch64',
    'Object-Kind': 'executable',
    'Needed-Libraries': '/usr/lib/libSystem.B.dylib',
  });
  assert.match(found.get('System') ?? '', /^macOS \d/);
  assert.match(found.get('Undefined-Symbols') ?? '', /^pthread_create$/m);
  await assertSurvives(summariseBinary, [bytes.subarray(0, 8192)], 'x');
});

test('Java classes and WebAssembly', async (t) => {
  const folder = scratch(t);
  writeFileSync(
    join(folder, 'Hive.java'),
    'import java.util.List;\npublic class Hive implements Runnable { int bees; public void run() { System.out.println(List.of("x")); } }\n',
  );
  if (toolRan(t, folder, 'javac', ['Hive.java'], 'default-jdk-headless')) {
    const bytes = readFileSync(join(folder, 'Hive.class'));
    const found = await summarised(summariseBinary, bytes, 'Hive.class');
    assertHolds(found, {
      Title: 'Hive',
      'Object-Kind': 'class',
      Extends: 'java.lang.Object, java.lang.Runnable',
      'Source-File': 'Hive.java',
      'Defined-Symbols': 'bees\nrun',
    });
    assert.match(found.get('Undefined-Symbols') ?? '', /^java\.util\.List$/m);
    await assertSurvives(summariseBinary, [bytes], 'x.class');
  }
  // (module (import "env" "hum" (func)) (export "lay" (func 0)))
  const wasm = Buffer.from(
    '0061736d01000000010401600000020b0103656e760368756d00000707010 36c6179 0000'.replaceAll(' ', ''),
    'hex',
  );
  assertHolds(await summarised(summariseBinary, wasm, 'x.wasm'), {
    Format: 'WebAssembly 1',
    'Needed-Libraries': 'env',
    'Undefined-Symbols': 'hum',
    'Defined-Symbols': 'lay',
  });
  await assertSurvives(summariseBinary, [wasm], 'x.wasm');
});

test('programs of the system', async (t) => {
  const list = installedFile(t, '/bin/ls', 'coreutils');
  if (list === undefined) return;
  const found = await summarised(summariseBinary, list, 'ls', 'selected');
  assert.match(found.get('Needed-Libraries') ?? '', /^libc\.so\.6$/m);
  assert.match(found.get('Copyright-1') ?? found.get('Copyright') ?? '', /Free Software Foundation/);
  assert.match(found.get('Partial-Text') ?? '', /coreutils@gnu\.org/);
});

test('symbols of a library are those of nm', async (t) => {
  const library = '/usr/lib/x86_64-linux-gnu/libz.so.1';
  const bytes = installedFile(t, library, 'zlib1g');
  if (bytes === undefined || !toolRan(t, '/', 'nm', ['--version'], 'binutils')) return;
  const listed = toolOutput('nm', ['-D', '--format=posix', library], '/').toString().trim().split('\n');
  const named = (kinds: RegExp) =>
    listed
      .map((line) => line.split(' '))
      .filter(([, kind = '']) => kinds.test(kind))
      .map(([name = '']) => name.replace(/@.*$/, ''))
      .filter((name) => !/^(?:_ITM_|__gmon_start__|__cxa_finalize)/.test(name));
  const found = await summarised(summariseBinary, bytes, 'libz.so.1');
  const sorted = (name: string) => (found.get(name) ?? '').split('\n').sort();
  assert.deepEqual(
    sorted('Defined-Symbols'),
    [...new Set(named(/[TDBRVWi]/))].filter((name) => !named(/w/).includes(name)).sort(),
  );
  assert.deepEqual(sorted('Undefined-Symbols'), [...new Set(named(/[Uwv]/))].sort());
});

test('bytes of no known kind give their texts', async () => {
  const bytes = Buffer.from(
    '\x01\x02\x03Usage: mystery FILE of bees\0\xff\xfe#$%&!\0short\0Version 1.2 of the hive\0',
    'latin1',
  );
  assertHolds(await summarised(summariseBinary, bytes, 'x.bin', 'selected'), {
    Usage: 'Usage: mystery FILE of bees',
    Version: 'Version 1.2 of the hive',
    'Partial-Text': 'Usage: mystery FILE of bees\nVersion 1.2 of the hive',
  });
});

test('hostile bytes take linear time', async () => {
  await assertLinear(summariseBinary, ['Usage: a\n', '\n', 'a', 'a@', 'a b ', '(c) 1999 a b c\0'], 'x.bin');
  // Sections of WebAssembly with sizes beyond their end.
  await assertLinear(
    summariseBinary,
    ['\x02\0', '\x02\x06\xff\xff\xff\x0f\x01a'],
    'x.wasm',
    '\0asm\x01\0\0\0',
  );
});
