import { damaged } from '@atrium/platform/tabular';

/** Parts inside each other; programs write two. */
const LIMITS = { maxNestingDepth: 20, maxRfc822NestingDepth: 2 };

/** The HTML of a page that was saved with its pictures in one file, which is written as a mail is. */
export async function pageOfArchive(bytes: Buffer): Promise<string> {
  const { default: PostalMime } = await import('postal-mime');
  const { html = '' } = await PostalMime.parse(bytes, LIMITS).catch((cause: unknown) => {
    throw damaged('document', cause);
  });
  return html;
}
