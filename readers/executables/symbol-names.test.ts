import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableSymbol } from './symbol-names.ts';

// Expected names are those of c++filt (binutils 2.40), without types and parameters.
test('mangled symbols become the names their programmers wrote', () => {
  for (const [symbol, name] of [
    ['main', 'main'],
    ['memcpy@@GLIBC_2.14', 'memcpy'],
    ['_ZN3foo3barEv', 'foo::bar'],
    ['_ZNKSt6vectorIiSaIiEE4sizeEv', 'std::vector::size'],
    ['_ZNSt6vectorIN3foo3BarESaIS1_EE9push_backERKS1_', 'std::vector::push_back'],
    ['_ZNSt5arrayIiLm5EE5beginEv', 'std::array::begin'],
    ['_ZN3FooC2Ev', 'Foo::Foo'],
    ['_ZN3FooD0Ev', 'Foo::~Foo'],
    ['_ZTVN10__cxxabiv117__class_type_infoE', 'vtable for __cxxabiv1::__class_type_info'],
    ['_ZSt4cout', 'std::cout'],
    ['_Z3addii', 'add'],
    ['_ZdlPv', '_ZdlPv'],
    ['_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE', 'core::fmt::Formatter::write_str'],
    ['_Z', '_Z'],
    ['_ZN', '_ZN'],
    ['_ZN999x', '_ZN999x'],
    ['', ''],
  ] as const)
    assert.equal(readableSymbol(symbol), name, symbol);
});

test('long and senseless symbols take linear time', () => {
  for (const part of ['N', 'I', '3foo', 'S_', 'LE', '1a'])
    for (const start of ['_ZN', '_Z', '_R', '_ZN1aI']) readableSymbol(start + part.repeat(100_000));
});
