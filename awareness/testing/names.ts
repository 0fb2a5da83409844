import type { Oid } from '../../soif/index.ts';

/** An OID whose handle begins with this text, so that the paper's examples read as printed. */
export function oidNamed(name: string): Oid {
  return Buffer.concat([Buffer.from(name, 'latin1'), Buffer.alloc(32)])
    .subarray(0, 32)
    .toString('base64url') as Oid;
}

export function nameOf(oid: Oid): string {
  return Buffer.from(oid, 'base64url').toString('latin1').replace(/\0+$/, '');
}

const nameOfHandle = (handle: string) => handle.replace(/\0+$/, '');

/** A position without the zeros that pad its handle. */
export const shown = (position: string | undefined) =>
  position === undefined ? null : nameOfHandle(position);
