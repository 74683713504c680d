// What an answer must be, whatever was asked.

const LEAK =
  /\bat [\w.<>]+ \(|node_modules|\.(?:ts|js):\d+|syntax error at or near|\bSELECT\b.*\bFROM\b|QueryFailedError|TypeError|RangeError|violates|relation "|ECONNREFUSED/;
const SLOW_MS = 10_000;
/** What a body brings where none is expected; the document does not say it of every operation. */
const OF_ANY_BODY = new Set(['malformed_json', 'payload_too_large', 'unsupported_media_type']);

/** Judges answers by the document: which codes there are, and which an operation says it gives. */
export class Oracle {
  #codes;
  #documented = new Map();
  /** `operation: code` pairs that the document does not mention; no failures. */
  surprises = new Map();

  /** `slowMs` is after how long an answer is wrong for its lateness alone. */
  constructor(document, operations, { slowMs = SLOW_MS } = {}) {
    this.slowMs = slowMs;
    this.#codes = new Set(document.components.schemas.Problem.properties.code.enum);
    for (const { name, operation } of operations) this.#documented.set(name, codesOf(operation));
  }

  /** Why the answer is wrong, or null. */
  faultIn(answer, request) {
    if (answer.lost) return request.oversized ? null : `no answer: ${answer.lost}`;
    if (answer.milliseconds > this.slowMs) return `it took ${Math.round(answer.milliseconds / 1000)} s`;
    if (answer.status >= 500 && answer.status !== 501) return `status ${answer.status}: ${answer.text.slice(0, 300)}`;
    if (!answer.requestId && !request.raw_socket) return `no X-Request-Id on ${answer.status}`;
    if (answer.status < 400) return this.#faultInSuccess(answer, request);
    return this.#faultInProblem(answer, request);
  }

  #faultInSuccess(answer, request) {
    if (request.oversized) return `an oversized body was answered with ${answer.status}`;
    if (!answer.type.includes('json') || !answer.whole || request.method === 'HEAD') return null;
    return parsed(answer.text) === undefined && answer.text !== '' ? 'the answer is no JSON' : null;
  }

  #faultInProblem(answer, request) {
    if (request.method === 'HEAD') return null;
    if (!answer.type.startsWith('application/problem+json'))
      return `${answer.status} is ${answer.type || 'without a type'}: ${answer.text.slice(0, 200)}`;
    const problem = parsed(answer.text);
    if (typeof problem !== 'object' || problem === null) return 'the problem is no JSON object';
    if (!this.#codes.has(problem.code)) return `unknown code ${problem.code}`;
    if (problem.status !== answer.status) return `status ${answer.status} on the wire, ${problem.status} in the problem`;
    // Storage answers by signed address and reveals nothing about itself.
    for (const field of request.path.startsWith('/storage') ? [] : ['type', 'title', 'detail', 'instance', 'request_id'])
      if (typeof problem[field] !== 'string') return `the problem has no ${field}`;
    if (problem.type !== `/problems/${problem.code}`) return `type ${problem.type} does not fit ${problem.code}`;
    const leak = LEAK.exec(problem.detail + JSON.stringify((problem.errors ?? []).map(({ message }) => message)));
    if (leak && !this.#wasSent(leak[0], request)) return `it reveals internals: ${leak[0]}`;
    this.#note(request, problem.code);
    return null;
  }

  /** The name of an unknown parameter is repeated in the answer, whatever it looks like. */
  #wasSent(text, { query, search = '', body }) {
    return JSON.stringify([query, body]).includes(text) || search.includes(text);
  }

  #note({ operation, method, path }, code) {
    const known = this.#documented.get(operation);
    const stillTheSame = `${method} ${path}`.match(new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`));
    if (!known || known.has(code) || !stillTheSame || OF_ANY_BODY.has(code)) return;
    const key = `${operation}: ${code}`;
    this.surprises.set(key, (this.surprises.get(key) ?? 0) + 1);
  }
}

const codesOf = (operation) =>
  new Set(
    Object.values(operation.responses).flatMap((answer) => Object.keys(answer.content?.['application/problem+json']?.examples ?? {})),
  );

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
