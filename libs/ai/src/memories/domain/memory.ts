import { createHash } from 'node:crypto';
import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { alreadyExists, folded, invalidField, normalized, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';

export const MEMORY_TYPES = ['fact', 'preference', 'context'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];
export const MEMORY_SOURCES = ['user', 'assistant', 'import'] as const;
export type MemorySource = (typeof MEMORY_SOURCES)[number];

export const MOST_MEMORIES = 500;
/** Earlier texts of one memory: each is looked for when it is forgotten. */
const MOST_WORDINGS = 50;
const LONGEST = 1_000;

/** What a person says of a memory. */
export interface MemoryFacts {
  readonly mem_value?: string;
  readonly mem_type?: MemoryType;
  readonly mem_active?: boolean;
  readonly mem_metadata?: JsonObject;
}

/** A short fact about one person, which only that person sees and agents use in that person's threads. The same text is remembered once. */
@Resource({ table: 'memory', sort: '-mem_updated' })
export class Memory extends TenantRow {
  @Id({ about: 'Id of the memory.' }) readonly mem_id!: string;
  @Text({ min: 1, max: LONGEST, about: 'Text of the memory.', example: 'I prefer short answers.', filter: 'contains' }) mem_value!: string;
  @Choice(MEMORY_TYPES, {
    about: 'Kind of memory. Preferences are used in every answer.',
    example: 'preference',
    filter: 'equals',
    sort: true,
  })
  mem_type!: MemoryType;
  @Choice(MEMORY_SOURCES, { about: 'Origin of the memory: the person, an agent, or an import.' }) mem_source!: MemorySource;
  @Ref({ optional: true, about: 'Id of the thread in which an agent created the memory.' }) mem_thread!: string | null;
  @Flag({ about: 'Whether agents use the memory.', filter: 'equals' }) mem_active!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) mem_metadata!: JsonObject;
  @Stamp({ about: 'When the memory was created.', sort: true }) mem_created!: Date;
  @Stamp({ about: 'When the memory was last changed.', sort: true }) mem_updated!: Date;

  @Ref({ internal: true }) mem_user!: string;
  @Text({ internal: true }) mem_hash!: string;
  /** An agent wrote it down after it had read text of strangers, and the person has not reworded it since. */
  @Flag({ internal: true }) mem_tainted!: boolean;

  /** Texts that it had before: calls and answers may still say them. */
  @TextList({ internal: true }) mem_wordings!: readonly string[];

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<Memory> & Pick<Memory, 'mem_id' | 'mem_user'>, now: Date): Memory {
    return Object.assign(new Memory(), {
      mem_type: 'fact',
      mem_active: true,
      mem_metadata: {},
      mem_wordings: [],
      mem_created: now,
      ...facts,
    });
  }

  /** Takes what is said of it; whether the text is another one now, so that it must be embedded again. */
  describe(facts: MemoryFacts, clock: Clock): boolean {
    const before = this.mem_value as string | undefined;
    Object.assign(this, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
    this.mem_hash = hashOf(this.mem_value);
    this.mem_updated = clock.now();
    const isAnother = this.mem_value !== before;
    if (isAnother && before !== undefined) {
      this.mem_tainted = false;
      const wordings = new Set([...this.mem_wordings, before]);
      if (wordings.size > MOST_WORDINGS) throw tooManyWordings();
      this.mem_wordings = [...wordings];
    }
    return isAnother;
  }
}

/** A text as it is compared: folded, and without regard to width and the number of spaces. */
const plainText = (text: string): string =>
  normalized(folded(normalized(text, 'NFKC')), 'NFKC')
    .replace(/\s+/g, ' ')
    .trim();

/** Equal for texts that say the same to the letter. */
export const hashOf = (text: string): string => createHash('sha256').update(plainText(text)).digest('hex');

const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu;

/** A text that a model wrote, as it can be stored. */
export function spokenValue(text: string): string {
  const value = text.replace(UNSTORABLE, '').trim();
  if (value === '') throw invalidField('value', 'must not be empty', 'too_short');
  if ([...value].length > LONGEST) throw invalidField('value', `must have at most ${LONGEST} characters`, 'too_long');
  return value;
}

/** Whether each word of the query occurs in the text. */
export function saysAll(text: string, query: string): boolean {
  const words = wordsOf(query);
  const known = new Set(wordsOf(text));
  return words.length > 0 && words.every((word) => known.has(word));
}

const wordsOf = (text: string): string[] => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const tooManyWordings = (): Problem =>
  new Problem(
    'limit_reached',
    `A memory can have at most ${MOST_WORDINGS} earlier texts, which are deleted with it. Delete this memory and create a new one.`,
  );

export const tooManyMemories = (): Problem =>
  new Problem('limit_reached', `You can have at most ${MOST_MEMORIES} memories in a workspace. Delete some first.`);

export const alreadyRemembered = (): Problem => alreadyExists('mem_value', 'You already have a memory with this text.');
