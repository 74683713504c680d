/** A message of the conversation, as far as it says who wrote what a model reads of it. */
export interface SaidBy {
  readonly msg_role: 'user' | 'assistant' | 'operator';
  readonly msg_user: string | null;
  readonly msg_run: string | null;
  readonly msg_files: readonly string[];
}

const EARLIER = 'Earlier in the conversation: ';

/** What taints a run, in words that name no source: readers of the run may not be allowed to read it. */
export const TAINTS = {
  files: 'files of the conversation',
  names: 'names of files',
  document: 'the text of a document',
  passages: 'passages that were found',
  subject: 'the subject of the conversation',
  others: 'a message of somebody else',
  memory: 'a memory that was written when text of strangers had been read',
  unknown: 'an answer whose run is not known any more',
} as const;

/**
 * Why a conversation may hold text that the asker did not write; null where all of it is theirs, or of runs that read nothing
 * else. `taints`: by the ids of earlier runs, why they were tainted.
 */
export function taintOfConversation(
  asker: string | null,
  messages: readonly SaidBy[],
  taints: ReadonlyMap<string, string | null>,
): string | null {
  for (const { msg_role, msg_user, msg_run, msg_files } of messages) {
    if (msg_files.length > 0) return TAINTS.files;
    if (msg_role === 'assistant') {
      const taint = msg_run === null ? undefined : taints.get(msg_run);
      if (taint === undefined) return TAINTS.unknown;
      if (taint !== null) return taint.startsWith(EARLIER) ? taint : `${EARLIER}${taint}`;
    } else if (msg_role === 'operator' || msg_user === null || msg_user !== asker) return TAINTS.others;
  }
  return null;
}

const ENDS = /[.,;:!?'"`*_)\]}>]$/;

/** The words of a text that may be an address, without the marks around them. */
function addressesIn(text: string): string[] {
  return text.split(/[\s<>"'`()[\]{}|]+/).flatMap((word) => {
    const kept = [word];
    for (let rest = word; ENDS.test(rest);) kept.push((rest = rest.slice(0, -1)));
    return kept.filter((one) => one.includes('.') || one.includes('://'));
  });
}

const normal = (address: string): string | null => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return url.href;
};

/** Whether the asker gave exactly this address, with or without its `https://`: nobody else decided where it leads, or what it carries. */
export function isGivenAddress(address: string, said: readonly string[]): boolean {
  const wanted = normal(address);
  if (wanted === null) return false;
  return said
    .flatMap(addressesIn)
    .some((word) => [word, `https://${word}`, `http://${word}`].some((candidate) => normal(candidate) === wanted));
}
