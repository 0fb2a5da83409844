import { defineErrors } from '../../kernel/index.ts';

interface At {
  /** Where it stands: `credentials[2].url`. */
  readonly key: string;
}

/** What can be wrong with credentials and proxies as configured. No message ever holds a secret. */
export const credentialsErrors = defineErrors({
  FETCH_CREDENTIALS: {
    message: ({ key, why }: At & { readonly why: string; readonly cure: string }) => `${key}: ${why}.`,
    hint: ({ cure }: At & { readonly why: string; readonly cure: string }) => cure,
    advice: 'Correct that entry of fetch.credentials, or set the environment variable that it names.',
    exit: 2,
    retry: 'never',
  },
  FETCH_PROXY: {
    message: ({ key, why }: At & { readonly why: string }) => `${key} names no proxy: ${why}.`,
    hint: () =>
      'Give http://HOST:PORT or https://HOST:PORT; what is to be asked without it goes into no-proxy.',
    exit: 2,
    retry: 'never',
  },
});
