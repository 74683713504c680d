import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault, JsonObject } from '@atrium/platform/kernel';
import type { ReferenceKind } from '../domain/field';
import type { AskedReference } from '../domain/field';
import type { NamedReference } from '../domain/named-references';

/** A reference as its source is asked for it: the id, and what the field says of what it may point to. */
export interface ReferenceQuestion {
  readonly id: string;
  /** Keys of the field's own: `kinds`, `max_size`, `schema`, `base`, `taxonomy`, `leaf_only`, `acyclic` … */
  readonly settings: JsonObject;
  /** The row that refers, where it exists already. */
  readonly owner_id: string | null;
}

/** A name by which a cell refers to something. */
export interface NameQuestion {
  readonly name: string;
  /** As those of a reference. */
  readonly settings: JsonObject;
}

/** What references stay within, such as the site of a page; a source reads the ids that it knows. */
export type ReferenceScope = Readonly<Record<string, string>>;

/** Who wants to refer: a source answers for what they may read. Null: the service itself. */
export interface ReferenceAsker {
  readonly actor: Principal | null;
  /** What the content that refers is part of, where its owner says so. */
  readonly scope?: ReferenceScope;
}

/**
 * Port of the context that owns the objects of one kind. All questions of a request come at once and are answered by one statement, in
 * their order: null where the reference is good, else what is wrong with it, said without giving away what exists elsewhere.
 */
export interface ReferenceSource {
  findMisfits(questions: readonly ReferenceQuestion[], asker: ReferenceAsker): Promise<readonly (string | null)[]>;
  /** What names refer to, in their order, of what the asker may read; without it things of the kind have no names. */
  resolveNames?(questions: readonly NameQuestion[], asker: ReferenceAsker): Promise<readonly NamedReference[]>;
}

/** What one piece of content wants to refer to. */
export interface ReferringContent {
  readonly owner_id: string | null;
  readonly references: readonly AskedReference[];
}

const UNKNOWN = 'points to something that does not exist.';

/** Whom the references of content are asked of. Until somebody has registered for a kind, nothing of it is known. */
@Injectable()
export class FormReferences {
  private readonly sources = new Map<ReferenceKind, ReferenceSource>();

  register(kind: ReferenceKind, source: ReferenceSource): void {
    if (this.sources.has(kind)) throw new Error(`Two contexts know references of the kind ${kind}.`);
    this.sources.set(kind, source);
  }

  /** What names refer to, in their order, within the open unit of work. */
  async resolveNames(kind: ReferenceKind, questions: readonly NameQuestion[], asker: ReferenceAsker): Promise<readonly NamedReference[]> {
    return (await this.sources.get(kind)?.resolveNames?.(questions, asker)) ?? questions.map(() => ({ misfit: 'is not an id' }));
  }

  /** The faults of each content, in its order: one question a kind for all of them, within the open unit of work. */
  async findFaults(contents: readonly ReferringContent[], asker: ReferenceAsker): Promise<readonly (readonly FieldFault[])[]> {
    const asked = contents.flatMap(({ owner_id, references }, at) => references.map((reference) => ({ at, owner_id, reference })));
    const faults: FieldFault[][] = contents.map(() => []);
    for (const kind of new Set(asked.map(({ reference }) => reference.kind))) {
      const ofKind = asked.filter(({ reference }) => reference.kind === kind);
      const questions = ofKind.map(({ owner_id, reference: { id, field } }) => ({ id, settings: field.settings, owner_id }));
      const answers = (await this.sources.get(kind)?.findMisfits(questions, asker)) ?? questions.map(() => UNKNOWN);
      ofKind.forEach(({ at, reference }, index) => {
        const misfit = answers[index];
        if (typeof misfit === 'string')
          faults[at]?.push({ path: reference.path, code: 'reference', message: `${reference.field.label} ${misfit}` });
      });
    }
    return faults;
  }
}
