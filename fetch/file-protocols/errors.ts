import { defineErrors } from '../../kernel/index.ts';

interface Target {
  readonly url: string;
}

/** What can go wrong between an FTP server and us besides what any server may do. */
export const ftpErrors = defineErrors({
  FETCH_FTP_LOGIN: {
    message: ({ host, why }: { readonly host: string; readonly why: string }) =>
      `The FTP server ${host} lets nobody in with this user name and password (${why}).`,
    hint: ({ host }: { readonly host: string; readonly why: string }) =>
      `Give a user and password for ftp://${host}/ in the credentials of your configuration.`,
    exit: 1,
    retry: 'never',
    status: 502,
  },
  FETCH_FTP_BOUNCE: {
    message: ({ host, address }: { readonly host: string; readonly address: string }) =>
      `The FTP server ${host} asks for data to be read from another machine, ${address}.`,
    hint: () =>
      'That may be an attack, or a server behind a translated address: have it answer EPSV, or its own address to PASV.',
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
      `${url} cannot be had from its FTP server at present (${why}).`,
    hint: () => 'It is asked for again in the next run; if that lasts, look at the log of the FTP server.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_FTP_SPEECH: {
    message: ({ host, why }: { readonly host: string; readonly why: string }) =>
      `${host} does not speak FTP as we understand it (${why}).`,
    hint: () => 'Check that the port belongs to an FTP server with passive mode.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
});
