import { isObject } from '@atrium/platform/kernel';

/** What a provider itself says of a question that it does not answer; secrets are masked in it, and its length is bounded. */
export interface ProviderWords {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  /** The parameter of the question that it names; empty where it names none. */
  readonly param: string;
}

const MOST_OF_MESSAGE = 500;
const MOST_OF_NAME = 100;
/** Of an error that is no JSON, such as a page of a proxy. */
const MOST_READ = 64 * 1024;

/** Reads an error in the shapes in which providers send it: an object, a text, a list of either, faults of a validation, or words. */
export function wordsOfText(text: string, secrets: readonly string[] = []): ProviderWords | null {
  const start = text.slice(0, MOST_READ).trim();
  if (start === '') return null;
  const value = parsed(start);
  if (value === undefined) return start.startsWith('<') ? null : wordsOf({ message: start }, secrets);
  return wordsOf(value, secrets);
}

/** The same of a value that was read already. */
export function wordsOf(value: unknown, secrets: readonly string[] = []): ProviderWords | null {
  const found = facts(value);
  if (!found) return null;
  const message = cleaned(found.message, secrets).slice(0, MOST_OF_MESSAGE);
  const named = (text: string): string => cleaned(text, secrets).slice(0, MOST_OF_NAME);
  return { message, code: named(found.code), type: named(found.type), param: named(found.param) };
}

function facts(value: unknown, depth = 0): ProviderWords | null {
  if (depth > 4) return null;
  if (typeof value === 'string') return value.trim() === '' ? null : { message: value, code: '', type: '', param: '' };
  if (Array.isArray(value)) return listed(value, depth);
  if (!isObject(value)) return null;
  const { error, errors, detail, message, title, msg, code, type, status, param, loc, base_resp, status_msg, status_code } = value;
  const inner = [error, message, detail, errors, base_resp].flatMap((one) =>
    typeof one === 'object' ? (facts(one, depth + 1) ?? []) : [],
  )[0];
  const said = [message, msg, error, detail, title, status_msg].find((one) => typeof one === 'string' && one.trim() !== '');
  if (!inner && said === undefined && code === undefined && type === undefined) return null;
  return {
    message: inner?.message || (typeof said === 'string' ? said : ''),
    code: inner?.code || nameIn(code) || nameIn(status) || nameIn(status_code),
    type: inner?.type || nameIn(type),
    param: inner?.param || nameIn(param) || placeIn(loc),
  };
}

/** The first says what is wrong; validations name each fault. */
function listed(list: readonly unknown[], depth: number): ProviderWords | null {
  const all = list.slice(0, 5).flatMap((one) => facts(one, depth + 1) ?? []);
  const [first] = all;
  return first
    ? { ...first, message: all.map(({ message, param }) => (param === '' ? message : `${param}: ${message}`)).join('; ') }
    : null;
}

const nameIn = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
/** `["body", "stream_options"]` names a parameter by its path. */
const placeIn = (loc: unknown): string =>
  Array.isArray(loc) ? loc.filter((one) => typeof one === 'string' && one !== 'body' && one !== 'query').join('.') : '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const MASK = '[secret]';
/** Keys as providers write them, whole or with a part of them starred. */
const KEYS = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|fw|r8|key|token)[-_][\w*.-]{3,200}/gi,
  /\bAIza[\w-]{10,200}/g,
  /\bBearer\s{1,9}\S{4,500}/gi,
];
/** No word is so long. */
const LEAST_OF_LONG = 40;
/** What shorter texts hold by chance. */
const LEAST_OF_SECRET = 4;

/** One line without controls, halves of characters and secrets. */
function cleaned(text: string, secrets: readonly string[]): string {
  const line = text.slice(0, MOST_READ).replace(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ');
  // The longest first: one may begin with another.
  const known = secrets.filter(({ length }) => length >= LEAST_OF_SECRET).sort((one, other) => other.length - one.length);
  const hidden = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), line.trim());
  const named = KEYS.reduce((rest, pattern) => rest.replace(pattern, MASK), hidden);
  const starred = named.replace(/\S+/g, (word) => (word.includes('***') ? MASK : word));
  return starred.replace(/[\w*+/=-]+/g, (word) => (word.length >= LEAST_OF_LONG ? MASK : word));
}

/** Of an address, shorter pieces are words. */
const LEAST_OF_PIECE = 6;
/** What addresses of providers hold that is no secret: versions, dates of versions, and names of what is there. */
const PLAIN_PIECE =
  /^(?:v?\d{1,4}(?:[.-]\d{1,2}){0,2}(?:-?(?:alpha|beta|preview))?\d{0,2}|openai|anthropic|chat|completions|messages|embeddings|inference|compatible-mode|gateway)$/i;
/** The piece behind these is a name, which words about it need. */
const NAMES_NEXT = /^(?:deployments|engines|models|projects|locations|publishers)$/i;

/** Pieces of an address that may be secrets: who asks, and what of its path and its query is no plain name. Each as it is written and as it is meant. */
export function secretsInAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, pathname, search } = new URL(address);
  const path = pathname.split('/');
  const pieces = [
    ...path.filter((piece, at) => !NAMES_NEXT.test(piece) && !NAMES_NEXT.test(path[at - 1] ?? '')),
    ...search
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ];
  const secret = pieces.filter((piece) => piece.length >= LEAST_OF_PIECE && !PLAIN_PIECE.test(piece));
  return [...new Set([username, password, ...secret].flatMap((piece) => [piece, decoded(piece)]))].filter((piece) => piece !== '');
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece.replaceAll('+', ' '));
  } catch {
    return piece;
  }
}
