import { type Clock, failure } from '../../kernel/index.ts';
import { type PublicationDesk, publicationOf } from '../../publication/index.ts';
import type { Identity, Oid } from '../../soif/index.ts';
import type { Directory } from '../directory.ts';
import { registryErrors } from '../errors.ts';
import { type Applicant, type Application, applicantObject, readApplicant } from './application.ts';
import type { ApplicationBook } from './application-book.ts';

export interface ApplicationDeskOptions {
  readonly book: ApplicationBook;
  readonly directory: Pick<Directory, 'find' | 'upToDate'>;
  readonly desk: Pick<PublicationDesk, 'publish'>;
  /** The Registry's own, under which it publishes what it approved. */
  readonly identity: Identity;
  readonly clock: Clock;
}

/** A server that an administrator entered. */
export interface Enlisted {
  readonly id: Oid;
  readonly url: string;
  readonly name: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Takes applications for servers that do not register themselves, and publishes those that were approved. */
export class ApplicationDesk {
  readonly #options: ApplicationDeskOptions;

  constructor(options: ApplicationDeskOptions) {
    this.#options = options;
  }

  list(): readonly Application[] {
    return this.#options.book.list();
  }

  /** Hold a stranger's application. Throws REGISTRY_ATTRIBUTE, REGISTRY_LISTED, REGISTRY_HOLDS_ENOUGH. */
  async hold(fields: Fields, client: string): Promise<Application> {
    return this.#options.book.hold(this.#unlisted(readApplicant(fields)), client);
  }

  /** Publish what an administrator sends. Throws REGISTRY_ATTRIBUTE, REGISTRY_LISTED, the errors of publishing. */
  async enlist(fields: Fields): Promise<Enlisted> {
    return this.#publish(this.#unlisted(readApplicant(fields)));
  }

  /** Publish a held application. Throws REGISTRY_NO_APPLICATION, REGISTRY_LISTED, the errors of publishing. */
  approve(id: string): Promise<Enlisted> {
    return this.#options.book.settle(id, (application) => this.#publish(this.#unlisted(application)));
  }

  /** Drop a held application. Throws REGISTRY_NO_APPLICATION. */
  refuse(id: string): Promise<Pick<Application, 'id' | 'url' | 'name'>> {
    return this.#options.book.settle(id, async ({ url, name }) => ({ id, url, name }));
  }

  /** A server that registers itself knows better than anybody who describes it. */
  #unlisted<Given extends Applicant>(applicant: Given): Given {
    const { url } = applicant;
    if (this.#options.directory.find(url) !== undefined)
      throw failure(registryErrors.REGISTRY_LISTED, { url });
    return applicant;
  }

  async #publish(applicant: Applicant): Promise<Enlisted> {
    const { desk, identity, clock, directory } = this.#options;
    const { url, name } = applicant;
    const updatedAt = Math.floor(clock.now() / 1000);
    const object = applicantObject(applicant, updatedAt);
    const { oid } = await desk.publish(publicationOf(identity, object, { updatedAt }));
    await directory.upToDate();
    return { id: oid, url, name };
  }
}
