import { defineErrors } from '../../kernel/index.ts';

interface Target {
  readonly url: string;
}

/** Faults of FTP servers, beside those of any server. */
export const ftpErrors = defineErrors({
  FETCH_FTP_LOGIN: {
    message: ({ host, why }: { readonly host: string; readonly why: string }) =>
      `The FTP server ${host} refuses this user name and password (${why}).`,
    hint: ({ host }: { readonly host: string; readonly why: string }) =>
      `Give a user and password for ftp://${host}/ in the credentials of your configuration.`,
    exit: 1,
    retry: 'never',
    status: 502,
  },
  FETCH_FTP_BOUNCE: {
    message: ({ host, address }: { readonly host: string; readonly address: string }) =>
      `The FTP server ${host} wants its data to be read from another machine, ${address}.`,
    hint: () =>
      'That may be an attack, or a server behind a translated address: let it answer EPSV, or PASV with its own address.',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  FETCH_FTP_REFUSED: {
    message: ({ url, why }: Target & { readonly code: number; readonly why: string }) =>
      `${url} was refused by its server (${why}).`,
    hint: () => 'Look at the rights of that file or folder and at the log of the FTP server.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  FETCH_FTP_BUSY: {
    message: ({ url, why }: Target & { readonly code: number; readonly why: string }) =>
      `${url} is not available from its FTP server at present (${why}).`,
    hint: () => 'The next run requests it again; if the fault lasts, look at the log of the FTP server.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_FTP_SPEECH: {
    message: ({ host, why }: { readonly host: string; readonly why: string }) =>
      `${host} sent an FTP reply that cannot be understood (${why}).`,
    hint: () => 'Check that the port belongs to an FTP server with passive mode.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
});

interface NoMenu {
  readonly url: string;
  readonly why: string;
  /** The server itself says that there is none. */
  readonly isMissing?: true;
}

/** Faults of Gopher servers, beside those of any server. */
export const gopherErrors = defineErrors({
  FETCH_GOPHER_MENU: {
    message: ({ url, why }: NoMenu) => `${url} is not a menu: ${why}.`,
    hint: () => 'Check that the port belongs to a Gopher server (RFC 1436) and that the item is of type 1.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
});
