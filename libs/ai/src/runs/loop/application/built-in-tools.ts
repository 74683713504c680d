import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { FileImports, FoundFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, notFound, Problem, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { GuardedHttp } from '@atrium/platform/outbound';
import { decodedMarkup } from '@atrium/platform/tabular';
import { ForeignMarkup, FileTexts } from '@atrium/retrieval';
import { Memories } from '../../../memories/application/memories';
import type { SubjectText } from '../../../threads/application/subject-readers';
import { calculateExpression } from '../domain/calculate';
import type { RunSource, FoundSource } from '../../records/domain/run-source';
import { storableStart } from '../../records/domain/storable';
import { TAINTS } from '../../prompt/taint';

/** What a tool needs to know of the run that calls it. */
export interface ToolScene {
  readonly actor: Principal;
  readonly thread_id: string | null;
  readonly memory: boolean;
  /** Whether the run had read text of strangers when the call was asked for. */
  readonly tainted: boolean;
  readonly signal: AbortSignal;
  searchSources(query: string, k: number | undefined): Promise<readonly FoundSource[]>;
  /** Gives what was found its numbers in the run. */
  numberSources(found: readonly FoundSource[]): readonly RunSource[];
  readSubject(): Promise<SubjectText | null>;
}

/** What came of a call. */
export interface ToolResult {
  /** For the model. */
  readonly output: JsonValue;
  /** For the thread, whose readers may not read all that the asker may. */
  readonly shown: JsonValue;
  /** Why the run has read text of strangers. */
  readonly taint?: string;
  readonly file_id?: string;
}

type BuiltIn = (input: JsonObject, scene: ToolScene) => Promise<ToolResult>;

const MOST_READ = 20_000;
/** Bytes of one character, in the widest encoding. */
const MOST_OF_SIGN = 4;
const MOST_FILES = 20;
const MOST_TITLE = 500;
const MOST_WORDS = 5;
const MOST_PAGE_BYTES = 1024 * 1024;
const PAGE_TIMEOUT_MS = 20 * SECOND;
const open = (output: JsonValue): ToolResult => ({ output, shown: output });

/** The tools of the service itself, each with the rights that the asker has at the moment of the call. */
@Injectable()
export class BuiltInTools {
  private readonly tools: Readonly<Record<string, { readonly idempotent: boolean; readonly run: BuiltIn }>> = {
    search_knowledge: { idempotent: true, run: (input, scene) => this.search(input, scene) },
    read_document: { idempotent: true, run: (input, scene) => this.read(input, scene) },
    find_files: { idempotent: true, run: (input, scene) => this.find(input, scene) },
    get_subject: { idempotent: true, run: (_, scene) => this.subject(scene) },
    remember: { idempotent: true, run: (input, scene) => this.remember(input, scene) },
    forget: { idempotent: true, run: (input, scene) => this.forget(input, scene) },
    calculate: { idempotent: true, run: ({ expression }) => Promise.resolve(open({ ...calculateExpression(wordsOf(expression)) })) },
    current_time: { idempotent: true, run: (input) => Promise.resolve(open(this.time(input))) },
    create_document: { idempotent: false, run: (input, scene) => this.create(input, scene) },
    fetch_url: { idempotent: true, run: (input, scene) => this.fetch(input, scene) },
  };

  constructor(
    private readonly db: Database,
    private readonly texts: FileTexts,
    private readonly files: FoundFiles,
    private readonly memories: Memories,
    private readonly imports: FileImports,
    private readonly http: GuardedHttp,
    private readonly markup: ForeignMarkup,
    private readonly clock: Clock,
  ) {}

  hasTool(tool: string): boolean {
    return Object.hasOwn(this.tools, tool);
  }

  isIdempotent(tool: string): boolean {
    return this.tools[tool]?.idempotent ?? false;
  }

  /** Throws a `Problem` where the model can do something about it. Outside of a unit of work. */
  runTool(tool: string, input: JsonObject, scene: ToolScene): Promise<ToolResult> {
    const known = this.hasTool(tool) ? this.tools[tool] : undefined;
    if (!known) throw new Problem('unprocessable_content', `There is no tool ${tool}.`);
    return known.run(input, scene);
  }

  private async search({ query, k }: JsonObject, scene: ToolScene): Promise<ToolResult> {
    const found = scene.numberSources(await scene.searchSources(wordsOf(query), typeof k === 'number' ? k : undefined));
    return {
      output: { passages: found.map(({ n, title, page_from, text }) => ({ n, title, page: page_from, text })) },
      shown: { passages: found.map(({ n }) => n) },
      ...(found.length > 0 ? { taint: TAINTS.passages } : {}),
    };
  }

  private async read({ file_id, from = 0, max = MOST_READ }: JsonObject, { actor }: ToolScene): Promise<ToolResult> {
    const id = wordsOf(file_id).toLowerCase();
    const isOpen = (await this.db.read(() => this.files.findReadable(actor, [id]))).has(id);
    const text = isOpen ? await this.texts.readMarkdown(id) : null;
    if (text === null) throw notFound('file with a text');
    const [start, most] = [Math.min(Number(from), text.length), Math.min(Number(max), MOST_READ)];
    const end = Math.min(text.length, start + most);
    const place = { file_id: id, from: start, to: end, length: text.length };
    return { output: { ...place, text: text.slice(start, end) }, shown: place, taint: TAINTS.document };
  }

  private async find({ query, kind }: JsonObject, { actor }: ToolScene): Promise<ToolResult> {
    const words = wordsOf(query).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    const found = await this.db.read(() =>
      this.files.findByName(actor, kind === 'document' ? ['docs'] : ['media', 'generated'], words, MOST_FILES),
    );
    const files = found.map((file) => ({ ...file }));
    return { output: { files }, shown: { count: files.length }, ...(files.length > 0 ? { taint: TAINTS.names } : {}) };
  }

  private async subject(scene: ToolScene): Promise<ToolResult> {
    const subject = await scene.readSubject();
    if (!subject) throw notFound('subject of this conversation that you can read');
    return {
      output: { name: subject.name, text: subject.text.slice(0, MOST_READ) },
      shown: { length: subject.text.length },
      taint: TAINTS.subject,
    };
  }

  private async remember({ value, type = 'fact' }: JsonObject, { actor, thread_id, memory, tainted }: ToolScene): Promise<ToolResult> {
    assertMemory(memory);
    const { memory: written } = await this.memories.rememberFact(actor.user_id, {
      value: wordsOf(value),
      type: type as 'fact' | 'preference' | 'context',
      thread: thread_id,
      tainted,
    });
    return { output: { remembered: written.mem_value }, shown: { remembered: true } };
  }

  private async forget({ query }: JsonObject, { actor, memory }: ToolScene): Promise<ToolResult> {
    assertMemory(memory);
    const forgotten = await this.memories.forgetMatching(actor.user_id, wordsOf(query));
    return {
      output: { forgotten: [...forgotten.values] },
      shown: { forgotten: forgotten.values.length },
      ...(forgotten.tainted ? { taint: TAINTS.memory } : {}),
    };
  }

  private time({ tz = 'UTC' }: JsonObject): JsonObject {
    const now = this.clock.now();
    try {
      const local = new Intl.DateTimeFormat('en-GB', { timeZone: wordsOf(tz), dateStyle: 'full', timeStyle: 'long' }).format(now);
      return { utc: now.toISOString(), time_zone: wordsOf(tz), local };
    } catch {
      throw new Problem('unprocessable_content', 'There is no such time zone. Use a name of the IANA list, such as Europe/Berlin.');
    }
  }

  private async create({ name, markdown }: JsonObject, { actor, thread_id, signal }: ToolScene): Promise<ToolResult> {
    if (thread_id === null) throw new Problem('invalid_state', 'Documents are created in threads; this run has none.');
    const given = wordsOf(name);
    const file = await this.imports.importStream(actor, {
      repository: { type: 'thread', id: thread_id },
      file_name: /\.md$/i.test(given) ? given : `${given}.md`,
      file_type: 'text/markdown',
      stream: Readable.from([Buffer.from(wordsOf(markdown), 'utf8')], { signal }),
      source: { kind: 'agent', ref: thread_id },
    });
    return { ...open({ file_id: file.file_id, file_name: file.file_name }), file_id: file.file_id };
  }

  private async fetch({ url }: JsonObject, scene: ToolScene): Promise<ToolResult> {
    const answer = await this.http.sendRequest(wordsOf(url), {
      method: 'GET',
      headers: { accept: 'text/html, text/plain, text/markdown, application/json' },
      maxBytes: MOST_PAGE_BYTES,
      timeouts: { headers: PAGE_TIMEOUT_MS, body: PAGE_TIMEOUT_MS, total: PAGE_TIMEOUT_MS },
      signal: scene.signal,
    });
    const type = answer.headers['content-type'] ?? '';
    if (answer.status >= 400) throw new Problem('upstream_failed', `The page answered ${answer.status}.`);
    if (!/^(?:text\/|application\/(?:json|xhtml))/i.test(type)) throw new Problem('unprocessable_content', 'The page is not a text.');
    const page = /html/i.test(type)
      ? await this.markup.readPage({ bytes: answer.body, type, address: wordsOf(url) }, { signal: scene.signal })
      : { markdown: decodedMarkup(beginningOf(answer.body, MOST_READ * MOST_OF_SIGN), type), title: null };
    const read = storableStart(page.markdown, MOST_READ);
    const [source] = scene.numberSources([webSource(wordsOf(url), page.title, read)]);
    return {
      output: { url: wordsOf(url), ...(source ? { n: source.n } : {}), text: read },
      shown: { url: wordsOf(url) },
      taint: `text of the page ${wordsOf(url).slice(0, 200)}`,
    };
  }
}

/** Of bytes that may be UTF-8, so many or a few less: no character is cut. */
function beginningOf(bytes: Uint8Array, most: number): Uint8Array {
  let end = most;
  while (end > most - MOST_OF_SIGN && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

/** A page as a source: cited by its address, of what was read of it. */
const webSource = (url: string, title: string | null, text: string): FoundSource => ({
  source_kind: 'web',
  source_id: url,
  passage_id: null,
  version_id: null,
  title: storableStart(title ?? url, MOST_TITLE),
  url,
  page_from: null,
  page_to: null,
  char_start: 0,
  char_end: text.length,
  version: null,
  updated: null,
  score: 0,
  text,
});

function assertMemory(memory: boolean): void {
  if (!memory) throw new Problem('invalid_state', 'Memories are not used in this conversation.');
}

/** A value of the input as text; the schema of the tool has made sure that it is one. */
const wordsOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
