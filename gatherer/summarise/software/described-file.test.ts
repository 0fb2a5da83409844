import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../testing/summary-of.ts';

async function summaryOf(path: string, text: string): Promise<Record<string, string | undefined>> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { type, attributes } = await summarise({
    url: `http://site.example/${path}`,
    name,
    bytes: Buffer.from(text),
  });
  return { Kind: type, ...Object.fromEntries(attributes) };
}

test('files that describe packages, applications and services have their names as titles', async () => {
  const described: readonly (readonly [path: string, text: string, title: string, description?: string])[] = [
    [
      'applications/hive.desktop',
      '[Desktop Entry]\nName[de]=Stock\nName=Hive Monitor\nComment=Watch bees\nVersion=1.0\n',
      'Hive Monitor',
      'Watch bees',
    ],
    [
      'system/hive.service',
      '# Local.\n\n[Unit]\nDescription=Hive Daemon\n[Service]\nType=simple\n',
      'Hive Daemon',
    ],
    [
      'pkgconfig/hive.pc',
      'prefix=/usr\n\nName: hive\nDescription: Counts bees\nVersion: 1.2\nLibs: -lhive\n',
      'hive 1.2',
      'Counts bees',
    ],
    [
      'hive.egg-info/PKG-INFO',
      'Metadata-Version: 1.1\nName: hive\nVersion: 1.2\nSummary: Counts bees\n',
      'hive 1.2',
      'Counts bees',
    ],
    [
      'hive-1.2.dist-info/METADATA',
      'Metadata-Version: 2.1\nName: hive\nVersion: 1.2\nSummary: Counts bees\n\n# Hive\n',
      'hive 1.2',
      'Counts bees',
    ],
    [
      'hive/Cargo.toml',
      '# Generated.\n[package]\nname = "hive"\nversion = "1.2"\ndescription = """\nCounts\nbees"""\n',
      'hive 1.2',
      'Counts bees',
    ],
    [
      'META-INF/MANIFEST.MF',
      'Manifest-Version: 1.0\r\nImplementation-Title: Hive\r\nImplementation-Version: 1.2\r\n',
      'Hive 1.2',
    ],
    [
      'plugins/hive.plugin',
      '[Plugin]\nModule=hive\nName=Hive\nDescription=Counts bees\n',
      'Hive',
      'Counts bees',
    ],
  ];
  for (const [path, text, title, description] of described) {
    const found = await summaryOf(path, text);
    assert.equal(found.Title, title, path);
    assert.equal(found.Description?.replace(/\s+/g, ' '), description, path);
  }
});

test('settings under a section are a configuration, whatever the name; other texts in brackets stay text', async () => {
  assert.equal(
    (await summaryOf('hive.convert', '[org.example.hive]\nsize = /apps/hive/size\n')).Kind,
    'Configuration',
  );
  assert.equal((await summaryOf('hive.pc', 'prefix=/usr\nName: h\nVersion: 1\n')).Kind, 'Configuration');
  for (const text of [
    '[short] skip\n[linux] go build\n',
    '[1] A note about bees = wasps.\n',
    'a=b\nName: Ann\nAge: 3\n',
  ])
    assert.equal((await summaryOf('hive.x', text)).Kind, 'Text', text);
  assert.equal((await summaryOf('notes.x', 'Name: Ann\n\nA letter.\n')).Title, 'Name: Ann');
});
