import type { JsonObject } from '@atrium/platform/kernel';
import { questionsOf, readQuestion, standaloneQuestion } from './question';
import { mentionsOf, summaryOf, type Mention } from './overviews';
import { quotablesOf, quotesFor, type Quotable } from './quotes';
import { textsIn, type CalledTool, type Turn } from './turn';
import { isAboutThis, wishOf, type SideRequest } from './wishes';
import type { Reader } from './words';

/** What the built-in model does next: it calls one tool, or answers. */
export type Move =
  { readonly kind: 'call'; readonly tool: string; readonly input: JsonObject } | { readonly kind: 'answer'; readonly text: string };

const NAMED_CALL = /^\/([\p{L}\p{N}_.:/-]{1,200})(?:\s+(\{[\s\S]*\}))?\s*$/u;
const REMEMBER = /^(?:please,?\s+)?remember\s+(?:that\s+)?(\S[\s\S]*)$/i;
const SEARCH = 'search_knowledge';
const MOST_SHOWN = 2_000;
/** Passages of which a summary is made, or that may mention something. */
const MOST_FOUND = 30;

const NO_ANSWER = 'I found no answer to this in the sources I can read.';
/** True also of a search before the question that found nothing. */
const NO_SOURCES = 'I cannot answer this: I was given no sources about it.';
const HINT = 'Ask a question, and I quote the sentences of your sources that answer it.';

/** The tool that the message leads to, unless it was called in this turn already. Null: it is time to answer. */
export function nextCall(turn: Turn): Extract<Move, { kind: 'call' }> | null {
  const call = callFor(turn);
  return call && !turn.called.some(({ name }) => name === call.tool) ? call : null;
}

function callFor({ question, before, tools }: Turn): Extract<Move, { kind: 'call' }> | null {
  const isOffered = (name: string): boolean => tools.some((tool) => tool.name === name);
  const named = namedCall(question);
  if (named && isOffered(named.tool)) return { kind: 'call', ...named };
  const value = REMEMBER.exec(question)?.[1]?.trim();
  if (value !== undefined && isOffered('remember')) return { kind: 'call', tool: 'remember', input: { value } };
  if (!isOffered(SEARCH)) return null;
  const wish = wishOf(question);
  if (wish === null) return { kind: 'call', tool: SEARCH, input: { query: standaloneQuestion(question, before) } };
  return isAboutThis(wish) ? null : { kind: 'call', tool: SEARCH, input: { query: wish.about, k: MOST_FOUND } };
}

/** The answer in words: what happened to the tools, or sentences of the sources. */
export function answerOf(turn: Turn, reader: Reader): string {
  const failed = turn.called.filter(({ failure }) => failure !== null);
  if (failed.length > 0) return failed.map(({ name, failure }) => `The tool ${name} did not run: ${failure}`).join('\n');
  const remembered = turn.called.find(({ name }) => name === 'remember');
  if (remembered) return `I will remember that: ${textsIn(remembered.input.value ?? '').join(' ')}`;
  const asked = namedTool(turn);
  const wish = asked ? null : wishOf(turn.question);
  const overview = wish && overviewOf(wish, turn, reader);
  if (overview) return overview;
  const questions = asked ? [textsIn(asked.input).join(' ')] : questionsOf(turn.question, turn.before);
  const question = readQuestion(questions, reader);
  const quotes = quotesFor(quotablesOf(turn.sources, reader), question);
  if (quotes.length > 0) return quotes.map(cited).join(' ');
  if (asked) return `The tool ${asked.name} answered: ${shortened(asked.output ?? '')}`;
  if (question.stems.length === 0) return turn.greeting ?? HINT;
  return hasSources(turn) ? NO_ANSWER : NO_SOURCES;
}

/** What is wished for besides an answer, where the sources have something of it. */
function overviewOf(wish: SideRequest, { sources }: Turn, reader: Reader): string {
  if (wish.kind === 'mentions') return mentionsOf(wish, sources, reader).map(mentioned).join('\n');
  return summaryOf(wish, sources, reader).map(cited).join(' ');
}

const mentioned = ({ title, quote }: Mention): string => `${title}: ${cited(quote)}`;

/** Whether there was anything to find an answer in: sources, or a search that found none. */
const hasSources = ({ sources, called }: Turn): boolean => sources.length > 0 || called.some(({ name }) => name === SEARCH);

/** Numbers in brackets that a source uses for its own notes would read as citations of this answer. */
const OWN_NUMBERS = /[ \t]?\[\d{1,4}(?:\s*[,–-]\s*\d{1,4})*\](?!\()/g;

const cited = ({ text, n }: Pick<Quotable, 'text' | 'n'>): string => (n === null ? text : `${text.replace(OWN_NUMBERS, '')} [${n}]`);

/** The tool that the person named, once it has answered; its sentences are quoted where it is a search. */
function namedTool({ question, called }: Turn): CalledTool | undefined {
  const named = namedCall(question);
  return called.find(({ name, output }) => name === named?.tool && output !== null);
}

function namedCall(question: string): { readonly tool: string; readonly input: JsonObject } | null {
  const [, tool, json = '{}'] = NAMED_CALL.exec(question) ?? [];
  if (tool === undefined) return null;
  try {
    return { tool, input: JSON.parse(json) as JsonObject };
  } catch {
    return null;
  }
}

const shortened = (text: string): string => (text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`);
