export { CookieJar } from './cookie-jar.ts';
export { Credentials } from './credentials.ts';
export { credentialsErrors } from './credentials-errors.ts';
export { withCredentials } from './credentials-fetch.ts';
