import { readXml, type Package } from '@atrium/platform/tabular';
import { SignCounts } from '../text/sign-counts';

/** All words in the body of the content, whatever they are: the other reading takes out what it leaves out. */
export async function wordsOfOdf(pack: Package, what: string): Promise<SignCounts> {
  const counts = new SignCounts();
  let isBody = false;
  await readXml(
    await pack.stream('content.xml'),
    {
      open: ({ name }) => void (isBody ||= name === 'body'),
      text: (text) => void (isBody && counts.add(text)),
    },
    what,
  );
  return counts;
}
