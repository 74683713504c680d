import { wantedFact, type WantedFact } from './fact-kinds';
import { segmentsOf, type Reader } from './words';

/** A question as the built-in model reads it. */
export interface Question {
  /** Its stems, the most telling of a follow-up first. */
  readonly stems: readonly string[];
  /** Of them those that the last message has, where the one before is needed to understand it. */
  readonly own: ReadonlySet<string>;
  /** Stems of names and numbers: what has others is about something else. */
  readonly names: ReadonlySet<string>;
  readonly wanted: WantedFact | null;
}

/** Nobody asks in more words; each is held against each sentence. */
const MOST_STEMS = 300;
/** Earlier questions that a follow-up may rest on. */
const MOST_BEFORE = 3;
const LONGEST_FOLLOW_UP = 80;
const GOES_ON =
  /^[¿¡\s]{0,4}(?:and|but|what about|how about|und|aber|was ist mit|wie ist es mit|y|e|pero|et|mais|а|и|но)(?![\p{L}\p{N}])|^(?:那|还有)|呢\s*[?？。]?$/iu;
const STANDS_FOR =
  /(?<![\p{L}])(?:it|they|them|those|he|she|er|dort|dahin|davon|dafür|ello|ellos|ellas|allí|ahí|él|ella|elle|elles|он|она|оно|они|туда)(?![\p{L}])|它|那里|那儿|他们/iu;
const FEW_WORDS = 6;
/** Characters of a question with those before it that a search takes. */
const MOST_SEARCHED = 4_000;

/** The questions that are needed to understand the last one: itself, and those before it that it goes on from. Oldest first. */
export function questionsOf(asked: string, before: readonly string[]): string[] {
  const needed = [asked];
  for (const one of [...before].reverse().slice(0, MOST_BEFORE)) {
    if (!goesOn(needed[0] ?? '')) break;
    needed.unshift(one);
  }
  return needed;
}

/** What is searched for a question: with the questions before it that it cannot be understood without. */
export const standaloneQuestion = (asked: string, before: readonly string[]): string =>
  questionsOf(asked, before).join(' ').slice(0, MOST_SEARCHED);

/** "And on Sundays?", "How much is it?": what it is about was said before. */
function goesOn(asked: string): boolean {
  const text = asked.trim();
  if (text.length > LONGEST_FOLLOW_UP) return false;
  return GOES_ON.test(text) || (STANDS_FOR.test(text) && text.split(/\s+/).length <= FEW_WORDS);
}

/** Reads a question with those before it that it goes on from. */
export function readQuestion(questions: readonly string[], reader: Reader): Question {
  const last = questions.at(-1) ?? '';
  const before = questions.slice(0, -1).reverse();
  const own = reader.stemsOf(last).slice(0, MOST_STEMS);
  const stems = [...new Set([...own, ...before.flatMap((one) => reader.stemsOf(one))])].slice(0, MOST_STEMS);
  const stemOf = (words: string): string[] => reader.stemsOf(words);
  const wanted = [last, ...before].map((one) => wantedFact(one, stemOf)).find((fact) => fact !== null) ?? null;
  return {
    stems,
    own: new Set(own),
    names: new Set([last, ...before].flatMap((one) => namesIn(one).flatMap((name) => reader.stemsOf(name)))),
    wanted,
  };
}

/** Words with a capital that does not begin the sentence, and those with figures. */
const namesIn = (text: string): string[] =>
  segmentsOf(text)
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }, at) => (/\p{N}/u.test(segment) || (at > 0 && /^\p{Lu}/u.test(segment)) ? [segment] : []));
