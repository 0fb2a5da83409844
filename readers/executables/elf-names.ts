/** Names of ELF's machine numbers (`e_machine`), of those in use. */
export const elfMachines: Readonly<Record<number, string>> = {
  2: 'SPARC',
  3: 'Intel 80386',
  4: 'Motorola 68000',
  8: 'MIPS',
  15: 'HP PA-RISC',
  18: 'SPARC32PLUS',
  20: 'PowerPC',
  21: 'PowerPC 64',
  22: 'IBM S/390',
  40: 'ARM',
  42: 'SuperH',
  43: 'SPARC V9',
  50: 'Intel IA-64',
  62: 'AMD x86-64',
  83: 'Atmel AVR',
  92: 'OpenRISC',
  93: 'ARC',
  94: 'Xtensa',
  183: 'ARM AArch64',
  224: 'AMD GPU',
  243: 'RISC-V',
  247: 'Linux BPF',
  258: 'LoongArch',
  36902: 'DEC Alpha',
};

/** ELF's kinds of file (`e_type`). */
export const elfKinds: Readonly<Record<number, string>> = {
  1: 'relocatable object',
  2: 'executable',
  3: 'shared library',
  4: 'core dump',
};

/** ELF's binary interfaces (`EI_OSABI`). */
export const elfSystems: Readonly<Record<number, string>> = {
  0: 'System V',
  1: 'HP-UX',
  2: 'NetBSD',
  3: 'GNU/Linux',
  6: 'Solaris',
  7: 'AIX',
  8: 'IRIX',
  9: 'FreeBSD',
  12: 'OpenBSD',
  13: 'OpenVMS',
};
