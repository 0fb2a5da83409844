import type { Extract, RecognisedDocument, SummariseOptions } from '../../../readers/document/index.ts';
import { listMembers } from '../../unnest/index.ts';
import { summariseArchiveListing } from './archive-listing.ts';

const maxListed = 5000;

/** An archive that stays packed, by the listing of its members. */
export async function summariseArchive(
  document: RecognisedDocument,
  options: SummariseOptions,
): Promise<Extract> {
  const { type, bytes, name } = document;
  const listing = await listMembers(type, bytes, name, { maxListed: maxListed });
  if (listing === undefined) return summariseArchiveListing(document, [], options);
  const { members, complete, error } = listing;
  const rest = error === undefined ? 'There are more.' : error.message;
  return summariseArchiveListing(
    document,
    members,
    options,
    complete ? [] : [`Listed only in part: ${rest}`],
  );
}
