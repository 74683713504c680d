// The sentences of an answer of the built-in model, and where the passages that they cite say them word for word.

/** What the model says where it claims nothing. */
const NO_ANSWERS = ['I found no answer to this in the sources I can read.', 'I cannot answer this: I was given no sources about it.'];
/** A citation behind a sentence. */
const MARKER = / \[(\d+)\](?= |$)/g;
/** Numbers in brackets that a source uses for its own notes: answers leave them out, with the blank before them. */
const OWN_NUMBERS = /[ \t]?\[\d{1,4}(?:\s*[,–-]\s*\d{1,4})*\](?!\()/g;

/** The sentences of an answer with what they cite; what cites nothing is a sentence without support. */
export function claimsIn({ msg_text, msg_citations }) {
  if (NO_ANSWERS.includes(msg_text)) return [];
  const claims = [];
  let from = 0;
  for (const found of msg_text.matchAll(MARKER)) {
    claims.push({ said: msg_text.slice(from, found.index).trim(), citation: msg_citations.find(({ n }) => n === Number(found[1])) });
    from = found.index + found[0].length;
  }
  const rest = msg_text.slice(from).trim();
  return rest === '' ? claims : [...claims, { said: rest }];
}

/**
 * Where the cited passage says the sentence word for word, in places of the whole text; lines may break elsewhere. Numbers of its own
 * notes are taken from the passage as they are from an answer, wherever they are: "the NHC [4]." is quoted as "the NHC.".
 */
export function placesOf({ said, citation }, texts) {
  if (!citation || said === '') return [];
  const { source_id, char_start, char_end } = citation;
  const { text, places } = withoutOwnNumbers(texts.get(source_id)?.slice(char_start, char_end) ?? '');
  const words = said.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [...text.matchAll(new RegExp(words.join('\\s+'), 'g'))].map(({ index, 0: found }) => ({
    source_id,
    start: char_start + places[index],
    end: char_start + places[index + found.length - 1] + 1,
  }));
}

/** A passage as it is quoted, and where each of its characters was. */
function withoutOwnNumbers(passage) {
  const [kept, places] = [[], []];
  let from = 0;
  const keep = (to) => {
    kept.push(passage.slice(from, to));
    for (let at = from; at < to; at++) places.push(at);
  };
  for (const { index, 0: number } of passage.matchAll(OWN_NUMBERS)) {
    keep(index);
    from = index + number.length;
  }
  keep(passage.length);
  return { text: kept.join(''), places };
}
