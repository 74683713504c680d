import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Clock, invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import { KnownMembers } from '@atrium/identity';
import { NamedBases } from '@atrium/knowledge';
import { SharedAlbums } from '@atrium/media';
import { FREE_TEXT, takenValue, type ChosenRows } from '../domain/control-value';
import type { Prompt } from '../domain/prompt';
import { filledText, keyOf } from '../domain/prompt-text';
import { PromptsRepository } from '../infrastructure/prompts.repository';
import { WildcardsRepository } from '../infrastructure/wildcards.repository';
import { PromptAccess } from './prompt-access';

const MOST_FILES = 20;
const LONGEST_TEXT = 100_000;

/** A prompt whose open names were filled in. */
export interface ResolvedPrompt {
  readonly prompt: Prompt;
  readonly text: string;
  /** Files and documents that values name: attachments of the message. */
  readonly files: readonly string[];
  /** Knowledge bases of the prompt and of values: searched besides those of the agent. */
  readonly knowledge: readonly string[];
}

interface Filled {
  readonly text: string;
  readonly rows: ChosenRows | null;
}

/** Prompts as runs need them. Within a unit of work. */
@Injectable()
export class PromptTexts {
  constructor(
    private readonly access: PromptAccess,
    private readonly prompts: PromptsRepository,
    private readonly wildcards: WildcardsRepository,
    private readonly clock: Clock,
    private readonly files: ReadableFiles,
    private readonly bases: NamedBases,
    private readonly albums: SharedAlbums,
    private readonly members: KnownMembers,
  ) {}

  /**
   * The text of an active prompt with these values, which are named as in the text, in any case. What is missing or is not taken
   * is refused with an entry each, at `values.<name>`; so is a value that the text does not ask for.
   */
  async resolvePrompt(caller: Principal, prompt_id: string, values: JsonObject): Promise<ResolvedPrompt> {
    const prompt = await this.access.requireActive(caller, prompt_id);
    const names = new Map(prompt.prompt_wildcards.map((name) => [keyOf(name), name]));
    const given = new Map<string, JsonValue>(Object.entries(values).map(([name, value]) => [keyOf(name.trim()), value]));
    const faults = [...given.keys()]
      .filter((key) => !names.has(key))
      .map((key) => fault(key, 'unknown_field', 'is not a wildcard of the prompt'));
    const controls = await this.wildcards.findControls([...names.keys()]);
    const today = this.clock.now().toISOString().slice(0, 10);
    const filled = new Map<string, Filled>();
    for (const [key, name] of names) {
      const taken = takenValue(controls.get(key) ?? FREE_TEXT, given.get(key), today);
      if ('fault' in taken) faults.push(fault(name, taken.fault.code, taken.fault.message));
      else if ('text' in taken) filled.set(key, { text: taken.text, rows: null });
      else {
        const called = await this.namesOf(caller, taken.rows);
        if (called) filled.set(key, { text: called.join(', '), rows: taken.rows });
        else faults.push(fault(name, 'reference', `must be ${WORDS[taken.rows.kind]} that you can view`));
      }
    }
    if (faults.length > 0) throw invalidFields(faults);
    return resolved(prompt, filled);
  }

  /** The prompt is run. */
  countRun(prompt_id: string): Promise<void> {
    return this.prompts.countRun(prompt_id);
  }

  /** What the rows are called, in their order; null where one of them is not there for the caller. */
  private async namesOf(caller: Principal, { kind, ids, types }: ChosenRows): Promise<readonly string[] | null> {
    const known = await this.readable(caller, kind, ids, types);
    const names = ids.map((id) => known.get(id));
    return names.includes(undefined) ? null : names.map((name) => name ?? '');
  }

  private async readable(
    caller: Principal,
    kind: ChosenRows['kind'],
    ids: readonly string[],
    types: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (kind === 'knowledge-base') return this.bases.findReadableNames(caller, ids);
    if (kind === 'album') return this.albums.findReadableNames(caller, ids);
    if (kind === 'user') return this.members.findMemberNames(ids);
    const files = await this.files.findReadable(caller, ids, kind === 'document' ? ['docs'] : LISTED_REPO_TYPES);
    return new Map([...files.values()].filter(({ file_type }) => isOfType(file_type, types)).map((file) => [file.file_id, file.file_name]));
  }
}

const WORDS: Readonly<Record<ChosenRows['kind'], string>> = {
  file: 'files of the right type',
  document: 'documents of the right type',
  'knowledge-base': 'knowledge bases',
  album: 'albums',
  user: 'members',
};

const fault = (name: string, code: string, message: string): FieldFault => ({ path: `values.${name.slice(0, 100)}`, code, message });

function resolved(prompt: Prompt, filled: ReadonlyMap<string, Filled>): ResolvedPrompt {
  const text = filledText(prompt.prompt_text, (key) => filled.get(key)?.text ?? '');
  const named = (...kinds: readonly ChosenRows['kind'][]): string[] =>
    [...filled.values()].flatMap(({ rows }) => (rows && kinds.includes(rows.kind) ? rows.ids : []));
  const files = [...new Set(named('file', 'document'))];
  if (files.length > MOST_FILES)
    throw invalidFields([{ path: 'values', code: 'too_many', message: `must contain at most ${MOST_FILES} files in total` }]);
  if (text.length > LONGEST_TEXT)
    throw invalidFields([{ path: 'values', code: 'too_long', message: `must result in a text of at most ${LONGEST_TEXT} characters` }]);
  return { prompt, text, files, knowledge: [...new Set([...prompt.prompt_knowledge, ...named('knowledge-base')])] };
}

const isOfType = (type: string, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((one) => (/\/\*?$/.test(one) ? type.startsWith(one.replace(/\*$/, '')) : type === one));
